"""Writes tests/golden/data/: small random models with the outputs diffusers and transformers give for them.

    python tests/golden/make_golden.py [unet|vae|text|schedulers|processors|files|pipeline|recipes ...]

Without arguments everything but the tokenizer strings is written (those need a vocabulary folder made by clip_vocab.py:
`python tests/golden/tokenizer.py VOCAB_DIR`).
"""

import importlib
import sys

import diffusers
import torch
import transformers

PARTS = ["unet", "vae", "text", "schedulers", "processors", "files", "pipeline", "recipes"]


def main():
    transformers.utils.logging.disable_progress_bar()
    diffusers.logging.set_verbosity_error()
    torch.set_num_threads(1)  # sums in one order: the files come out the same on machines with more cores
    for part in sys.argv[1:] or PARTS:
        print(part, flush=True)
        importlib.import_module(part).main()


if __name__ == "__main__":
    main()
