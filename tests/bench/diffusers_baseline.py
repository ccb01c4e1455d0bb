"""What our engine is measured against: diffusers on the same torch, printed as one JSON object.

    python tests/bench/diffusers_baseline.py [--size sd15|tiny] [--parts step,capture,load] [--dtype float32,bfloat16]
                                             [-n RUNS] [--threads N] [--scratch DIR]

Weights are random, since only time and memory are measured.
step:    one UNet call, batch 2 (one picture with guidance), diffusers' default attention.
capture: the same with a Python processor that keeps running sums of all cross-attention probabilities.
load:    `from_pretrained` of the folder in DIR (made there if absent; 3.4 GB for sd15), in a process of its own so that
         its peak memory is its own.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import diffusers
import torch
from diffusers import UNet2DConditionModel
from diffusers.models.attention_processor import AttnProcessor, AttnProcessor2_0

diffusers.logging.set_verbosity_error()

SIZES = {
    "sd15": dict(config=dict(sample_size=64, cross_attention_dim=768), latent=64),
    "tiny": dict(
        config=dict(sample_size=16, cross_attention_dim=64, block_out_channels=(32, 64, 64, 64), norm_num_groups=8, attention_head_dim=4),
        latent=16,
    ),
}


class CapturingProcessor(AttnProcessor):
    """Explicit attention that adds its probabilities, averaged over heads, to a sum in fp32."""

    def __init__(self):
        self.total = None

    def __call__(self, attn, hidden_states, encoder_hidden_states=None, attention_mask=None, temb=None):
        batch = hidden_states.shape[0]
        query = attn.head_to_batch_dim(attn.to_q(hidden_states))
        key = attn.head_to_batch_dim(attn.to_k(encoder_hidden_states))
        value = attn.head_to_batch_dim(attn.to_v(encoder_hidden_states))
        probabilities = attn.get_attention_scores(query, key, attention_mask)
        mean = probabilities.unflatten(0, (batch, attn.heads)).mean(1, dtype=torch.float32)
        self.total = mean if self.total is None else self.total.add_(mean)
        out = attn.batch_to_head_dim(torch.bmm(probabilities, value))
        return attn.to_out[0](out) / attn.rescale_output_factor


def peak_rss():
    """Largest resident size of this program so far, in bytes. (getrusage would count the parent's as well.)"""
    status = Path("/proc/self/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) * 1024


def timed(calls, runs):
    """Seconds of each call after one that warms up; several calls take turns, so that all meet the same machine load."""
    times = {name: [] for name in calls}
    for turn in range(runs + 1):
        for name, call in calls.items():
            start = time.perf_counter()
            call()
            if turn:
                times[name].append(time.perf_counter() - start)
    return {name: {"median_s": statistics.median(t), "min_s": min(t), "runs_s": t} for name, t in times.items()}


def build(size, dtype):
    return UNet2DConditionModel(**SIZES[size]["config"]).to(dtype).eval()


def step_of(model, size, dtype):
    latent, g = SIZES[size]["latent"], torch.Generator().manual_seed(0)
    sample = torch.randn(2, 4, latent, latent, generator=g).to(dtype)
    text = torch.randn(2, 77, model.config.cross_attention_dim, generator=g).to(dtype)
    return lambda: model(sample, 500, text).sample


def measure_steps(args):
    """Times per dtype; capture and default processors take turns on the same model."""
    result = {}
    for name in args.dtype.split(","):
        dtype = getattr(torch, name)
        model = build(args.size, dtype)
        step = step_of(model, args.size, dtype)
        plain = dict.fromkeys(model.attn_processors, AttnProcessor2_0())
        capturing = {k: CapturingProcessor() if "attn2" in k else p for k, p in plain.items()}

        def run(processors):
            model.set_attn_processor(dict(processors))
            step()

        calls = {"step": lambda: run(plain)}
        if "capture" in args.parts:
            calls["capture_cross"] = lambda: run(capturing)
        with torch.inference_mode():
            result[name] = timed(calls, args.n)
        if "capture" in args.parts:
            medians = [result[name][k]["median_s"] for k in ("capture_cross", "step")]
            result[name]["capture_overhead"] = medians[0] / medians[1] - 1
            sums = [p.total for p in capturing.values() if isinstance(p, CapturingProcessor)]
            result[name]["capture_bytes"] = sum(t.numel() * t.element_size() for t in sums)
    return result | {"peak_rss": peak_rss()}


def load_once(folder):
    """Runs in a child: loads, and touches every weight, since a mapped file is read only then."""
    before, start = peak_rss(), time.perf_counter()
    model = UNet2DConditionModel.from_pretrained(folder, local_files_only=True)
    loaded = time.perf_counter() - start
    weights = sum(p.numel() * p.element_size() for p in model.parameters())
    with torch.no_grad():
        for p in model.parameters():
            p.view(-1)[::1024].sum()
    touched = time.perf_counter() - start
    print(json.dumps({"load_s": loaded, "load_and_touch_s": touched, "weights": weights, "rss_before": before, "peak_rss": peak_rss()}))


def measure_load(args):
    """n loads in fresh processes; the first one may read from disk, the others from the page cache."""
    folder = Path(args.scratch or tempfile.gettempdir()) / f"attnscope-bench-unet-{args.size}"
    if not (folder / "diffusion_pytorch_model.safetensors").exists():
        build(args.size, torch.float32).save_pretrained(folder)
    command = [sys.executable, __file__, "--load-once", str(folder), "--threads", str(args.threads)]
    runs = [json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout) for _ in range(args.n)]
    return {
        "folder": str(folder),
        "median_s": statistics.median(r["load_s"] for r in runs),
        "median_with_touch_s": statistics.median(r["load_and_touch_s"] for r in runs),
        "peak_rss": max(r["peak_rss"] for r in runs),
        "peak_over_weights": max((r["peak_rss"] - r["rss_before"]) / r["weights"] for r in runs),
        "runs": runs,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", choices=SIZES, default="sd15")
    parser.add_argument("--parts", default="step,capture,load", help="any of step, capture, load (default: all)")
    parser.add_argument("--dtype", default="float32,bfloat16")
    parser.add_argument("-n", type=int, default=3, help="measured runs after warm-up (default 3)")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--scratch", help="where the folder to load is kept (default: the temporary directory)")
    parser.add_argument("--load-once", help=argparse.SUPPRESS)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    if args.load_once:
        return load_once(args.load_once)
    result = {"torch": torch.__version__, "diffusers": diffusers.__version__, "threads": args.threads, "size": args.size, "n": args.n}
    if "step" in args.parts or "capture" in args.parts:
        result["unet"] = measure_steps(args)
    if "load" in args.parts:
        result["load"] = measure_load(args)
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
