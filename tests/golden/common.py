"""What every golden module shares: reproducible random weights, the folder layout of a case, and a processor that
records attention probabilities.

A case is a folder below `data/`: a component exactly as `save_pretrained` writes it, one or more `io*.safetensors`
(inputs under the names of `attnscope-cli eval`, expected outputs under `expect/`), and `case.json`.
"""

import json
import math
import shutil
from pathlib import Path

import torch
from diffusers.models.attention_processor import AttnProcessor
from safetensors.torch import save_file

DATA = Path(__file__).resolve().parent / "data"


def generator(seed):
    return torch.Generator("cpu").manual_seed(seed)


def randn(seed, *shape, scale=1.0):
    """Normal noise from a seed of its own, so that adding one tensor to a case does not change the others."""
    return torch.randn(*shape, generator=generator(seed)) * scale


def randomise(model, seed):
    """Gives every parameter a value that matters.

    Fresh modules have unit norm weights and often zero biases: an engine that forgets them would still pass. Weights
    are scaled by their fan-in, which keeps activations near 1 and softmax rows far from uniform.
    """
    g = generator(seed)
    with torch.no_grad():
        for name, p in model.named_parameters():
            value = torch.randn(p.shape, generator=g)
            if p.ndim >= 2:
                value = value / math.sqrt(p[0].numel())
            elif name.endswith("weight"):
                value = 1 + 0.3 * value
            else:
                value = 0.2 * value
            p.copy_(value)
    return model.eval()


def new_case(name):
    """An empty folder for a case; what an earlier run left there is removed."""
    folder = DATA / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def save_tensors(path, tensors):
    save_file({k: v.detach().clone().contiguous() for k, v in tensors.items()}, path)
    path.chmod(0o644)  # safetensors writes for the owner only


def save_json(path, value):
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def save_json_lines(path, rows):
    """A JSON list with one row a line: large lists stay readable in a diff without one number a line."""
    body = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    path.write_text(f"[\n{body}\n]\n", encoding="utf-8")


def relative_error(a, b):
    """Largest absolute difference relative to the largest expected value: the measure of all golden tests."""
    return ((a.double() - b.double()).abs().max() / b.double().abs().max()).item()


class RecordingProcessor(AttnProcessor):
    """diffusers' plain processor, keeping the probabilities as [batch, heads, queries, keys]."""

    def __init__(self):
        self.probabilities = None

    def __call__(self, attn, hidden_states, *args, **kwargs):
        scores = attn.get_attention_scores

        def keep(query, key, mask=None):
            probabilities = scores(query, key, mask)
            self.probabilities = probabilities.unflatten(0, (-1, attn.heads))
            return probabilities

        attn.get_attention_scores = keep
        try:
            return super().__call__(attn, hidden_states, *args, **kwargs)
        finally:
            del attn.get_attention_scores


def record_attention(model):
    """Puts a recorder on every attention layer; returns {processor key: recorder} in diffusers' order."""
    recorders = {key: RecordingProcessor() for key in model.attn_processors}
    model.set_attn_processor(dict(recorders))
    return recorders
