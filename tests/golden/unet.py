"""Golden cases of UNet2DConditionModel: shrunken SD1.5, SD2, SDXL and inpaint models, odd sizes, residual inputs."""

import copy
import json

import torch
from diffusers import UNet2DConditionModel

from common import new_case, randn, randomise, record_attention, relative_error, save_json, save_json_lines, save_tensors

SMALL = dict(norm_num_groups=4, sample_size=8)
SD15 = dict(
    SMALL,
    block_out_channels=(8, 16, 16, 16),
    layers_per_block=1,
    attention_head_dim=2,
    cross_attention_dim=20,
)
SD2 = dict(
    SMALL,
    block_out_channels=(8, 8, 16, 16),
    layers_per_block=1,
    attention_head_dim=(1, 2, 2, 4),
    cross_attention_dim=24,
    use_linear_projection=True,
    upcast_attention=True,
)
SDXL = dict(
    SMALL,
    down_block_types=("DownBlock2D", "CrossAttnDownBlock2D", "CrossAttnDownBlock2D"),
    up_block_types=("CrossAttnUpBlock2D", "CrossAttnUpBlock2D", "UpBlock2D"),
    block_out_channels=(8, 8, 16),
    layers_per_block=2,
    attention_head_dim=(1, 2, 4),
    cross_attention_dim=28,
    transformer_layers_per_block=(1, 2, 3),
    use_linear_projection=True,
    addition_embed_type="text_time",
    addition_time_embed_dim=8,
    projection_class_embeddings_input_dim=16 + 6 * 8,
)
TWO_BLOCKS = dict(
    SMALL,
    down_block_types=("CrossAttnDownBlock2D", "DownBlock2D"),
    up_block_types=("UpBlock2D", "CrossAttnUpBlock2D"),
    block_out_channels=(8, 12),
    layers_per_block=1,
    attention_head_dim=2,
    cross_attention_dim=12,
)


def call(model, x):
    """Runs the UNet on tensors named as `attnscope-cli eval` names them."""
    added = {k: x[k] for k in ("text_embeds", "time_ids") if k in x} or None
    down = [x[f"down_block_additional_residuals.{i}"] for i in range(99) if f"down_block_additional_residuals.{i}" in x]
    return model(
        x["sample"],
        x["timestep"],
        x["encoder_hidden_states"],
        added_cond_kwargs=added,
        down_block_additional_residuals=tuple(down) or None,
        mid_block_additional_residual=x.get("mid_block_additional_residual"),
    ).sample


@torch.no_grad()
def expect(model, recorders, double, inputs, attention):
    """Inputs with their expected outputs, and how far fp32 itself is from fp64 (the noise a test must allow).

    `attention` is a part of the processor keys whose probabilities are kept: "" for all of them."""
    sample = call(model, inputs)
    out = dict(inputs) | {"expect/sample": sample}
    out |= {f"expect/attn/{key}": r.probabilities for key, r in recorders.items() if attention in key}
    exact = call(double, {k: v.double() if v.is_floating_point() and k != "timestep" else v for k, v in inputs.items()})
    return out, relative_error(sample, exact)


def inputs(seed, config, batch=1, size=(8, 8), tokens=77, timestep=(481,)):
    x = {
        "sample": randn(seed, batch, config.get("in_channels", 4), *size),
        "timestep": torch.tensor(timestep),
        "encoder_hidden_states": randn(seed + 1, batch, tokens, text_width(config)),
    }
    if config.get("addition_embed_type") == "text_time":
        x["text_embeds"] = randn(seed + 2, batch, 16)
        x["time_ids"] = torch.tensor([[1024.0, 768.0, 0.0, 16.0, 1024.0, 512.0]] * batch) + torch.arange(batch)[:, None]
    return x


def text_width(config):
    dim = config["cross_attention_dim"]
    return dim if isinstance(dim, int) else dim[0]


def residuals(model, x, seed):
    """ControlNet-like residuals of the shapes the UNet's own skips have, found by watching them."""
    shapes = []

    def watch(_, __, output):
        shapes.extend(tuple(o.shape) for o in output[1])

    handles = [b.register_forward_hook(watch) for b in model.down_blocks]
    handles.append(model.conv_in.register_forward_hook(lambda _, __, o: shapes.append(tuple(o.shape))))
    mid = []
    handles.append(model.mid_block.register_forward_hook(lambda _, __, o: mid.append(tuple(o.shape))))
    with torch.no_grad():
        call(model, x)
    for h in handles:
        h.remove()
    out = {f"down_block_additional_residuals.{i}": randn(seed + i, *s, scale=0.5) for i, s in enumerate(shapes)}
    out["mid_block_additional_residual"] = randn(seed + 99, *mid[0], scale=0.5)
    return out


def write(name, config, seed, note, ios):
    """`ios` maps a file name to a function (model) -> inputs. io.safetensors holds the probabilities of all layers, files
    of odd sizes those of cross-attention, the others none (they would be most of the bytes)."""
    folder = new_case(name)
    model = randomise(UNet2DConditionModel(**config), seed)
    model.save_pretrained(folder)
    keys = {
        "attn_processors": list(model.attn_processors),
        "named_modules": [[path, type(m).__name__] for path, m in model.named_modules()],
        "named_parameters": [[path, list(p.shape)] for path, p in model.named_parameters()],
    }
    if name not in ("unet_inpaint", "unet_fields"):  # these add nothing to the others' keys
        save_keys(folder / "keys.json", keys)
    double = copy.deepcopy(model).double()
    recorders = record_attention(model)
    files = []
    for file, make in ios.items():
        x = make(model)
        attention = "" if file == "io" else "attn2" if "x" in file else "none"
        tensors, noise = expect(model, recorders, double, x, attention)
        save_tensors(folder / f"{file}.safetensors", tensors)
        files.append({"file": f"{file}.safetensors", "fp32_noise": noise})
    save_json(folder / "case.json", {"component": "unet", "note": note, "io": files})


def save_keys(path, keys):
    """One entry a line, so that a difference shows as one line."""
    parts = [f' "{k}": [\n' + ",\n".join(json.dumps(v, separators=(",", ":")) for v in rows) + "\n ]" for k, rows in keys.items()]
    path.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


def write_sd15():
    with_residuals = lambda m: (x := inputs(140, SD15, tokens=7)) | residuals(m, x, 150)
    write(
        "unet_sd15",
        SD15,
        1,
        "SD1.5-like: conv projections, one head count, 4 blocks. io: batch 2, timestep [1]; io_tb: timestep [B]; "
        "io_fraction: float timestep; io_9x13, io_10x14: latents that do not halve evenly; io_residuals: ControlNet residuals",
        {
            "io": lambda m: inputs(100, SD15, batch=2),
            "io_tb": lambda m: inputs(110, SD15, batch=2, tokens=7, timestep=(999, 1)),
            "io_fraction": lambda m: inputs(115, SD15, tokens=7, timestep=(481.25,)),
            "io_9x13": lambda m: inputs(120, SD15, size=(9, 13), tokens=5, timestep=(21,)),
            "io_10x14": lambda m: inputs(130, SD15, size=(10, 14), tokens=5, timestep=(0,)),
            "io_residuals": with_residuals,
        },
    )


def write_sd2():
    with_residuals = lambda m: (x := inputs(220, SD2, size=(6, 10), tokens=7)) | residuals(m, x, 230)
    write(
        "unet_sd2",
        SD2,
        2,
        "SD2-like: linear projections, heads per block, upcast_attention. io_residuals: with residual inputs, 6 x 10",
        {"io": lambda m: inputs(200, SD2, batch=2, tokens=20, timestep=(901,)), "io_residuals": with_residuals},
    )


def write_sdxl():
    write(
        "unet_sdxl",
        SDXL,
        34,  # with other seeds fp32 rounding alone reaches 1e-5 in the sharpest softmax rows
        "SDXL-like: first block without attention, transformer depth 1/2/3, text_time conditioning, layers_per_block 2. "
        "io_7x5: odd size, timestep [B]",
        {
            "io": lambda m: inputs(300, SDXL, batch=2, tokens=20),
            "io_7x5": lambda m: inputs(310, SDXL, batch=2, size=(7, 5), tokens=9, timestep=(7, 701)),
        },
    )


def write_small():
    inpaint = dict(TWO_BLOCKS, in_channels=9)
    write("unet_inpaint", inpaint, 4, "9 input channels, 2 blocks", {"io": lambda m: inputs(400, inpaint, size=(6, 8), tokens=9)})
    no_mid = dict(TWO_BLOCKS, mid_block_type=None, layers_per_block=(1, 2), use_linear_projection=True)
    write(
        "unet_nomid",
        no_mid,
        5,
        "mid_block_type null and layers_per_block [1, 2]",
        {"io": lambda m: inputs(500, no_mid, tokens=9)},
    )
    fields = dict(
        TWO_BLOCKS,
        down_block_types=("CrossAttnDownBlock2D", "CrossAttnDownBlock2D"),
        up_block_types=("CrossAttnUpBlock2D", "CrossAttnUpBlock2D"),
        cross_attention_dim=(12, 12),
        attention_head_dim=(1, 4),
        transformer_layers_per_block=(2, 1),
        center_input_sample=True,
        flip_sin_to_cos=False,
        freq_shift=1,
        norm_eps=1e-6,
        mid_block_scale_factor=1.4,
        act_fn="gelu",
        out_channels=3,
    )
    write(
        "unet_fields",
        fields,
        6,
        "rare fields: center_input_sample, flip_sin_to_cos false, freq_shift 1, norm_eps, mid_block_scale_factor, act_fn gelu, "
        "list cross_attention_dim, out_channels 3",
        {"io": lambda m: inputs(600, fields, size=(6, 8), tokens=9)},
    )


def write_real_keys():
    """Processor keys, heads and widths of the released models' configurations, without weights."""
    common = dict(sample_size=64)
    xl = dict(
        down_block_types=SDXL["down_block_types"],
        up_block_types=SDXL["up_block_types"],
        block_out_channels=(320, 640, 1280),
        attention_head_dim=(5, 10, 20),
        cross_attention_dim=2048,
        transformer_layers_per_block=(1, 2, 10),
        use_linear_projection=True,
        addition_embed_type="text_time",
        addition_time_embed_dim=256,
        projection_class_embeddings_input_dim=2816,
        sample_size=128,
    )
    models = {
        "sd15": dict(common, cross_attention_dim=768),
        "sd21": dict(
            cross_attention_dim=1024, attention_head_dim=(5, 10, 20, 20), use_linear_projection=True, upcast_attention=True, sample_size=96
        ),
        "sdxl": xl,
    }
    folder = new_case("attn_keys")
    for name, config in models.items():
        with torch.device("meta"):
            model = UNet2DConditionModel(**config)
        model.to_json_file(folder / f"{name}_config.json")
        rows = []
        for key in model.attn_processors:
            attn = model.get_submodule(key.removesuffix(".processor"))
            cross = attn.cross_attention_dim if attn.is_cross_attention else None
            rows.append({"key": key, "heads": attn.heads, "width": attn.query_dim, "cross_dim": cross})
        save_json_lines(folder / f"{name}.json", rows)


def main():
    write_sd15()
    write_sd2()
    write_sdxl()
    write_small()
    write_real_keys()
