"""Golden cases of one `Attention` module: norms, mask, residual, rescaling and 4-D input, plain and fused.

One folder: `cases.json` (constructor arguments of diffusers' Attention) and `io.safetensors` with `<id>/weights/...`,
`<id>/hidden_states`, optional `<id>/encoder_hidden_states` and `<id>/attention_mask`; expected `<id>/expect/output`
(AttnProcessor), `<id>/expect/fused` (AttnProcessor2_0; not for scale_qk false) and `<id>/expect/probabilities` [B, heads, Q, S].
"""

import torch
from diffusers.models.attention_processor import Attention, AttnProcessor2_0

from common import RecordingProcessor, new_case, randn, randomise, relative_error, save_json_lines, save_tensors

SELF = dict(query_dim=16, heads=4, dim_head=4)
CROSS = dict(SELF, cross_attention_dim=10)
VAE = dict(
    query_dim=16,
    heads=1,
    dim_head=16,
    bias=True,
    norm_num_groups=4,
    eps=1e-6,
    residual_connection=True,
    rescale_output_factor=1.4,
    upcast_softmax=True,
    _from_deprecated_attn_block=True,
)
CASES = [
    ("self", SELF, {}),
    ("self_bias_scale", dict(SELF, bias=True, scale_qk=False, out_bias=False), {}),
    ("self_rescale", dict(SELF, residual_connection=True, rescale_output_factor=2.0), {}),
    ("self_groupnorm", dict(SELF, norm_num_groups=4), {}),
    ("self_mask", SELF, {"mask": "row"}),
    ("self_4d", SELF, {"shape": (2, 16, 3, 5)}),
    ("vae_4d", VAE, {"shape": (2, 16, 3, 5)}),
    ("vae_two_heads", dict(VAE, heads=2, dim_head=8), {"shape": (1, 16, 4, 3)}),
    ("cross", CROSS, {"text": 7}),
    ("cross_upcast", dict(CROSS, upcast_attention=True, upcast_softmax=True), {"text": 7}),
    ("cross_mask", CROSS, {"text": 7, "mask": "row"}),
    ("cross_mask_full", CROSS, {"text": 7, "mask": "full"}),
    ("cross_norm", dict(CROSS, cross_attention_norm="layer_norm"), {"text": 7}),
    ("cross_one_key", CROSS, {"text": 1}),
    ("inner_dim", dict(query_dim=12, heads=3, dim_head=8, cross_attention_dim=10), {"text": 5}),
]


def mask(kind, queries, keys, seed):
    """Additive mask: hides some keys for all queries ([B, 1, S]) or differs per query ([B, Q, S])."""
    rows = 1 if kind == "row" else queries
    hidden = randn(seed, 2, rows, keys) > 0.4
    hidden[..., 0] = False
    return hidden.float() * -10000.0


@torch.no_grad()
def run(config, options, seed):
    attn = randomise(Attention(**config), seed)
    x = randn(seed + 1, *options.get("shape", (2, 9, config["query_dim"])))
    queries = x.shape[1] if x.ndim == 3 else x.shape[2] * x.shape[3]
    out = {f"weights/{k}": v for k, v in attn.state_dict().items()} | {"hidden_states": x}
    inputs = {}
    if "text" in options:
        inputs["encoder_hidden_states"] = randn(seed + 2, x.shape[0], options["text"], 10)
    if "mask" in options:
        inputs["attention_mask"] = mask(options["mask"], queries, options.get("text", queries), seed + 3)
    attn.set_processor(AttnProcessor2_0())
    fused = attn(x, **inputs)
    recorder = RecordingProcessor()
    attn.set_processor(recorder)
    output = attn(x, **inputs)
    # The fused processor of diffusers always scales by 1/sqrt(head_dim), whatever scale_qk says: no case for it there.
    expected = {"expect/output": output, "expect/probabilities": recorder.probabilities}
    if config.get("scale_qk", True):
        assert relative_error(fused, output) < 2e-6
        expected["expect/fused"] = fused
    return out | inputs | expected


def main():
    folder = new_case("processors")
    tensors = {}
    for i, (name, config, options) in enumerate(CASES):
        tensors |= {f"{name}/{k}": v for k, v in run(config, options, 4000 + 10 * i).items()}
    save_tensors(folder / "io.safetensors", tensors)
    save_json_lines(folder / "cases.json", [{"id": n, "config": c} for n, c, _ in CASES])
