"""Cross-attention read while the UNet runs: needed to train on the maps and to measure them."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from diffusers import UNet2DConditionModel
from diffusers.models.attention_processor import Attention


class RecordingProcessor:
    """Attention with explicit probabilities; appends their mean over heads, [batch, queries, tokens]."""

    def __init__(self, record: list[torch.Tensor]):
        self.record = record

    def __call__(self, attn: Attention, hidden_states, encoder_hidden_states, attention_mask=None, temb=None):
        def heads(x: torch.Tensor) -> torch.Tensor:
            return x.unflatten(-1, (attn.heads, -1)).transpose(1, 2)

        query = heads(attn.to_q(hidden_states))
        key = heads(attn.to_k(encoder_hidden_states))
        value = heads(attn.to_v(encoder_hidden_states))
        probabilities = (query @ key.transpose(-1, -2) * attn.scale).float().softmax(-1)
        self.record.append(probabilities.mean(1))
        mixed = (probabilities.to(value.dtype) @ value).transpose(1, 2).flatten(2)
        return attn.to_out[0](mixed)


def record_cross_attention(unet: UNet2DConditionModel) -> list[torch.Tensor]:
    """Makes every attn2 append its probabilities, in call order, to the returned list; clear it per call."""
    record: list[torch.Tensor] = []
    processors = dict(unet.attn_processors)
    for name in processors:
        if ".attn2." in name:
            processors[name] = RecordingProcessor(record)
    unet.set_attn_processor(processors)
    return record


def as_grid(probabilities: torch.Tensor) -> torch.Tensor:
    """[batch, queries, tokens] of a square picture to [batch, tokens, side, side]."""
    side = int(probabilities.shape[1] ** 0.5)
    return probabilities.transpose(1, 2).unflatten(2, (side, side))


def daam(sums: list[torch.Tensor], side: int = 64) -> torch.Tensor:
    """DAAM's recipe on sums over steps: bicubic to one size, clamped at zero, mean over layers."""
    grids = [F.interpolate(as_grid(s), size=(side, side), mode="bicubic", antialias=False) for s in sums]
    return torch.stack([g.clamp(min=0) for g in grids]).mean(0)
