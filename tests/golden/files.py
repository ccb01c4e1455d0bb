"""One micro UNet and one text encoder in every kind of weight file, and pickles that must not be run.

The expected outputs of a rounded file (fp16, bf16) are those of its own weights computed in fp32.
"""

import copy
import os

import torch
from diffusers import UNet2DConditionModel
from safetensors.torch import load_file, save_file
from transformers import CLIPTextConfig, CLIPTextModel

import text
import unet
from common import new_case, randomise, save_json, save_tensors

MICRO = dict(unet.TWO_BLOCKS, block_out_channels=(4, 8), norm_num_groups=2, attention_head_dim=2, cross_attention_dim=8)
WEIGHTS = "diffusion_pytorch_model"


def micro_unet():
    return randomise(UNet2DConditionModel(**MICRO), 51)


@torch.no_grad()
def write_unet(name, note, dtype=torch.float32, **save):
    folder = new_case(name)
    model = micro_unet().to(dtype)
    model.save_pretrained(folder, **save)
    x = unet.inputs(510, MICRO, tokens=7)
    save_tensors(folder / "io.safetensors", x | {"expect/sample": unet.call(model.float(), x)})
    case = {"component": "unet", "note": note, "io": [{"file": "io.safetensors"}]}
    if "variant" in save:
        case["variant"] = save["variant"]
    save_json(folder / "case.json", case)
    return folder


def write_unets():
    write_unet("files_fp32", "one fp32 safetensors file; the model of all files_* UNet cases")
    write_unet("files_sharded", "fp32 in shards with an index", max_shard_size="30KB")
    write_unet("files_fp16", "variant fp16", torch.float16, variant="fp16")
    write_unet("files_fp16_sharded", "variant fp16 in shards", torch.float16, variant="fp16", max_shard_size="20KB")
    write_unet("files_bf16", "bf16 under the plain file name", torch.bfloat16)
    write_unet("files_bin", "fp32 state_dict pickle (zip format)", safe_serialization=False)

    both = write_unet("files_two_variants", "fp16 variant beside the fp32 file: without a variant fp32 must be read")
    half = {k: v.half() for k, v in micro_unet().state_dict().items()}
    save_file(half, both / f"{WEIGHTS}.fp16.safetensors", metadata={"format": "pt"})

    legacy = write_unet("files_bin_legacy", "the same pickle in torch's format from before 1.6 (no zip)")
    state = load_file(legacy / f"{WEIGHTS}.safetensors")
    (legacy / f"{WEIGHTS}.safetensors").unlink()
    torch.save(state, legacy / f"{WEIGHTS}.bin", _use_new_zipfile_serialization=False)

    tied = write_unet("files_bin_views", "pickle with views: shared storage, offsets, transposed strides, half precision")
    state = load_file(tied / f"{WEIGHTS}.safetensors")
    (tied / f"{WEIGHTS}.safetensors").unlink()
    torch.save(as_views(state), tied / f"{WEIGHTS}.bin")


def as_views(state):
    """The same values, but as a pickle may hold them: slices of one storage, and a transposed matrix."""
    flat = torch.cat([v.flatten() for v in state.values()])
    out, at = {}, 0
    for key, value in state.items():
        out[key] = flat[at : at + value.numel()].view(value.shape)
        at += value.numel()
    key = next(k for k, v in state.items() if v.ndim == 2)
    out[key] = state[key].t().contiguous().t()
    return out


@torch.no_grad()
def write_texts():
    config = CLIPTextConfig(**dict(text.BASE, hidden_size=12, intermediate_size=20, num_hidden_layers=1, projection_dim=12, eos_token_id=text.EOS))
    model = randomise(CLIPTextModel(config), 52)
    ids = text.prompts(520, 2, 12, text.EOS)
    for name, note, save in [
        ("files_text_sharded", "text encoder in shards", dict(max_shard_size="8KB")),
        ("files_text_bin", "text encoder as pytorch_model.bin with classic keys", None),
    ]:
        folder = new_case(name)
        if save is None:
            config.save_pretrained(folder)
            model.config.architectures = ["CLIPTextModel"]
            state = {f"text_model.{k}": v for k, v in model.state_dict().items()}
            torch.save(state | {"text_model.embeddings.position_ids": torch.arange(77)[None]}, folder / "pytorch_model.bin")
        else:
            model.save_pretrained(folder, **save)
        save_tensors(folder / "io.safetensors", {"input_ids": ids} | text.outputs(copy.deepcopy(model), ids))
        save_json(folder / "case.json", {"component": "text_encoder", "class": "CLIPTextModel", "note": note, "io": [{"file": "io.safetensors"}]})


class Runs:
    """Unpickling this runs a command: what a hostile file does. It would leave a file `pickle-was-run` behind."""

    def __reduce__(self):
        return os.system, ("touch pickle-was-run",)


def write_hostile():
    """Pickles that a restricted reader refuses by name: (file, global that it asks for)."""
    folder = new_case("hostile")
    tensor = torch.ones(3)
    files = {
        "command.bin": {"conv_in.bias": tensor, "x": Runs()},
        "command_only.bin": Runs(),
        "module.bin": torch.nn.Linear(2, 2),  # harmless, but needs code to load
    }
    for name, value in files.items():
        torch.save(value, folder / name)
    torch.save({"conv_in.bias": tensor, "x": Runs()}, folder / "command_legacy.bin", _use_new_zipfile_serialization=False)
    names = {"command.bin": "posix.system", "command_only.bin": "posix.system", "command_legacy.bin": "posix.system"}
    save_json(folder / "case.json", {"refused": names | {"module.bin": "torch.nn.modules.linear.Linear"}, "must_not_appear": "pickle-was-run"})


def main():
    write_unets()
    write_texts()
    write_hostile()
