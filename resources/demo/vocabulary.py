"""The demo model's CLIP-style tokenizer: a real byte-level BPE vocabulary, only very small.

It is built like CLIP's: 256 byte symbols, the same 256 ending a word, one entry per merge, then the
two special tokens. Each word of the demo captions ends as one token; any other text falls apart into
smaller pieces but is never unknown.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import draw

MAX_LENGTH = 24
BOS, EOS = "<|startoftext|>", "<|endoftext|>"


def byte_symbols() -> list[str]:
    """One printable character per byte, in the order of CLIP's vocabulary."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [b for b in range(256) if b not in printable]
    return [chr(b) for b in printable] + [chr(256 + i) for i in range(len(others))]


def learn_merges(words: list[str]) -> list[tuple[str, str]]:
    """Byte-pair encoding until every word is one token: always the most frequent pair, ties by name."""
    pieces = [[*word[:-1], word[-1] + "</w>"] for word in words]
    merges = []
    while any(len(p) > 1 for p in pieces):
        pairs = Counter(pair for p in pieces for pair in zip(p, p[1:]))
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        merges.append(best)
        for p in pieces:
            i = 0
            while i < len(p) - 1:
                if (p[i], p[i + 1]) == best:
                    p[i : i + 2] = [p[i] + p[i + 1]]
                i += 1
    return merges


def write_tokenizer(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    merges = learn_merges([*draw.SHAPES, *draw.COLOURS, *draw.BACKGROUNDS, *draw.GLUE])
    symbols = byte_symbols()
    tokens = symbols + [s + "</w>" for s in symbols] + ["".join(m) for m in merges] + [BOS, EOS]
    vocabulary = {token: index for index, token in enumerate(tokens)}
    special = {"bos_token": BOS, "eos_token": EOS, "unk_token": EOS, "pad_token": EOS}
    settings = {"tokenizer_class": "CLIPTokenizer", "model_max_length": MAX_LENGTH, "do_lower_case": True,
                "add_prefix_space": False, "errors": "replace", **special}

    def write(name: str, content: object) -> None:
        (folder / name).write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")

    (folder / "vocab.json").write_text(json.dumps(vocabulary, ensure_ascii=False), encoding="utf-8")
    (folder / "merges.txt").write_text(
        "#version: 0.2\n" + "".join(f"{a} {b}\n" for a, b in merges), encoding="utf-8")
    write("special_tokens_map.json", special)
    write("tokenizer_config.json", settings)
