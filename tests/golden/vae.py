"""Golden cases of AutoencoderKL: with and without mid attention and quantisation convolutions, and old key names."""

import copy

import torch
from diffusers import AutoencoderKL
from safetensors.torch import load_file, save_file

from common import new_case, randn, randomise, relative_error, save_json, save_tensors

SD = dict(
    down_block_types=("DownEncoderBlock2D",) * 3,
    up_block_types=("UpDecoderBlock2D",) * 3,
    block_out_channels=(8, 12, 16),
    layers_per_block=1,
    norm_num_groups=4,
    latent_channels=4,
    sample_size=32,
)
SMALL = dict(
    SD,
    down_block_types=("DownEncoderBlock2D",) * 2,
    up_block_types=("UpDecoderBlock2D",) * 2,
    block_out_channels=(4, 8),
    norm_num_groups=2,
    scaling_factor=0.13025,
)
OLD_NAMES = {"to_q": "query", "to_k": "key", "to_v": "value", "to_out.0": "proj_attn"}


@torch.no_grad()
def coded(model, image, latent):
    posterior = model.encode(image).latent_dist
    return {"expect/mean": posterior.mean, "expect/logvar": posterior.logvar, "expect/sample": model.decode(latent).sample}


def write(name, config, seed, note, sizes):
    """`sizes` maps a file name to (batch, image height, image width)."""
    folder = new_case(name)
    model = randomise(AutoencoderKL(**config), seed)
    model.save_pretrained(folder)
    double = copy.deepcopy(model).double()
    factor = 2 ** (len(config["block_out_channels"]) - 1)
    files = []
    for i, (file, (batch, height, width)) in enumerate(sizes.items()):
        image = randn(seed * 100 + 2 * i, batch, config.get("in_channels", 3), height, width, scale=0.5)
        latent = randn(seed * 100 + 2 * i + 1, batch, config["latent_channels"], height // factor, width // factor)
        out = coded(model, image, latent)
        exact = coded(double, image.double(), latent.double())
        save_tensors(folder / f"{file}.safetensors", {"sample": image, "latent": latent} | out)
        noise = {k.removeprefix("expect/"): relative_error(out[k], exact[k]) for k in out}
        files.append({"file": f"{file}.safetensors", "fp32_noise": noise})
    save_json(folder / "case.json", {"component": "vae", "note": note, "io": files})
    return folder, model


@torch.no_grad()
def write_tiled(name, source, model, seed):
    """The same model with enable_tiling, on pictures larger than its sample_size along one axis or both."""
    folder = new_case(name)
    for file in ("config.json", "diffusion_pytorch_model.safetensors"):
        (folder / file).write_bytes((source / file).read_bytes())
    tiling = copy.deepcopy(model)
    tiling.enable_tiling()
    files = []
    for i, (height, width) in enumerate([(80, 32), (48, 76)]):
        image = randn(seed * 100 + 2 * i, 1, 3, height, width, scale=0.5)
        latent = randn(seed * 100 + 2 * i + 1, 1, 4, height // 2, width // 2)
        save_tensors(folder / f"io_{height}x{width}.safetensors", {"sample": image, "latent": latent} | coded(tiling, image, latent))
        files.append({"file": f"io_{height}x{width}.safetensors"})
    save_json(folder / "case.json", {"component": "vae", "note": "enable_tiling; sample_size 32", "io": files})


def write_old_names(name, source, conv):
    """The same model under the names of files from before diffusers 0.13, as matrices or as 1x1 convolutions."""
    folder = new_case(name)
    tensors = {}
    for key, value in load_file(source / "diffusion_pytorch_model.safetensors").items():
        if ".attentions.0." in key:
            for new, old in OLD_NAMES.items():
                key = key.replace(f".{new}.", f".{old}.")
            if conv and value.ndim == 2:
                value = value[:, :, None, None]
        tensors[key] = value.contiguous()
    save_file(tensors, folder / "diffusion_pytorch_model.safetensors", metadata={"format": "pt"})
    for file in ("config.json", "io.safetensors"):
        (folder / file).write_bytes((source / file).read_bytes())
    shape = "[C,C,1,1]" if conv else "[C,C]"
    save_json(
        folder / "case.json",
        {"component": "vae", "note": f"old attention names query/key/value/proj_attn, {shape}", "io": [{"file": "io.safetensors"}]},
    )


def main():
    write(
        "vae_sd",
        SD,
        21,
        "SD-like, three blocks (factor 4), mid attention; io_24x40: not square, batch 2; io_21x30: encoder floors odd sizes",
        {"io": (1, 32, 32), "io_24x40": (2, 24, 40), "io_21x30": (1, 21, 30)},
    )
    plain = dict(SMALL, mid_block_add_attention=False, use_quant_conv=False, use_post_quant_conv=False, layers_per_block=2)
    write("vae_plain", plain, 22, "no mid attention, no quant convolutions, 2 layers", {"io": (2, 16, 24)})
    source, model = write("vae_small", SMALL, 23, "two blocks; the model of vae_oldkeys and vae_oldkeys_conv", {"io": (1, 16, 12)})
    write_tiled("vae_tiled", source, model, 24)
    write_old_names("vae_oldkeys", source, conv=False)
    write_old_names("vae_oldkeys_conv", source, conv=True)
