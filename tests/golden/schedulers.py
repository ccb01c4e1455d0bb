"""Golden cases of the five schedulers: every spacing, prediction type and beta schedule, and the options on top.

All cases lie in one folder: `cases.json` lists them, `io.safetensors` holds `<id>/sample`, `<id>/model_outputs` and the
expected tensors. A case is fed fixed model outputs; nothing but the scheduler is tested.
"""

import itertools

import torch
from diffusers import (
    DDIMInverseScheduler,
    DDIMScheduler,
    DDPMScheduler,
    DPMSolverMultistepScheduler,
    EulerDiscreteScheduler,
)

from common import generator, new_case, randn, save_json_lines, save_tensors

CLASSES = [DDIMScheduler, DDIMInverseScheduler, DDPMScheduler, EulerDiscreteScheduler, DPMSolverMultistepScheduler]
SD = dict(beta_start=0.00085, beta_end=0.012, beta_schedule="scaled_linear")
BETAS = {
    "linear": dict(beta_schedule="linear"),
    "scaled": SD,
    "cosine": dict(beta_schedule="squaredcos_cap_v2"),
}
SPACINGS = ["leading", "linspace", "trailing"]
PREDICTIONS = ["epsilon", "v_prediction", "sample"]
STEPS = 6


def short(cls):
    return {
        "DDIMScheduler": "ddim",
        "DDIMInverseScheduler": "ddim_inverse",
        "DDPMScheduler": "ddpm",
        "EulerDiscreteScheduler": "euler",
        "DPMSolverMultistepScheduler": "dpm",
    }[cls.__name__]


def grid(cls, spacings=SPACINGS, predictions=PREDICTIONS, **base):
    """Every spacing with every prediction type on the SD schedule, every spacing on the other schedules."""
    for spacing, prediction in itertools.product(spacings, predictions):
        yield case(cls, f"{spacing}_{prediction}", SD, base, timestep_spacing=spacing, prediction_type=prediction)
    for spacing, betas in itertools.product(spacings, ["linear", "cosine"]):
        prediction = {"leading": "epsilon"}.get(spacing, "v_prediction")
        yield case(cls, f"{spacing}_{betas}", BETAS[betas], base, timestep_spacing=spacing, prediction_type=prediction)
    zero_snr = dict(rescale_betas_zero_snr=True, prediction_type="v_prediction")
    for spacing in spacings:
        yield case(cls, f"{spacing}_zsnr", SD, base, timestep_spacing=spacing, **zero_snr)


def case(cls, name, *configs, steps=STEPS, step=None, seed=None, only_last=False, **config):
    """One case; `step` holds arguments of step(), `seed` the generator its noise comes from."""
    merged = {}
    for c in (*configs, config):
        merged |= c
    row = {"id": f"{short(cls)}_{name}", "class": cls.__name__, "config": merged, "num_inference_steps": steps}
    extra = {"step": step, "seed": seed, "only_last": only_last}
    return row | {k: v for k, v in extra.items() if v}


def cases():
    latent = dict(clip_sample=False)
    sd = SD | latent | dict(steps_offset=1, set_alpha_to_one=False)
    yield from grid(DDIMScheduler, **latent)
    yield case(DDIMScheduler, "sd15", sd, steps=10)
    yield case(DDIMScheduler, "sd15_7", sd, steps=7)  # 1000 is no multiple of 7
    yield case(DDIMScheduler, "alpha_one", sd, set_alpha_to_one=True)
    yield case(DDIMScheduler, "defaults")
    yield case(DDIMScheduler, "clip", SD, clip_sample=True, clip_sample_range=0.7)
    yield case(DDIMScheduler, "clip_corrected", SD, clip_sample=True, step=dict(use_clipped_model_output=True))
    yield case(DDIMScheduler, "threshold", SD, thresholding=True, dynamic_thresholding_ratio=0.9, sample_max_value=2.0)
    yield case(DDIMScheduler, "train_betas", latent, trained_betas=[0.01, 0.02, 0.03, 0.05, 0.08, 0.1], num_train_timesteps=6, steps=3)
    yield case(DDIMScheduler, "eta", sd, step=dict(eta=0.6), seed=11)
    yield case(DDIMScheduler, "eta_v", sd, step=dict(eta=1.0), seed=12, prediction_type="v_prediction")

    spacings = ["leading", "trailing"]
    # set_alpha_to_one (the default) divides by zero at t = 0 with prediction_type "sample"
    yield from grid(DDIMInverseScheduler, spacings=spacings, set_alpha_to_one=False, **latent)
    yield case(DDIMInverseScheduler, "sd15", sd, steps=10)
    yield case(DDIMInverseScheduler, "alpha_one", sd, set_alpha_to_one=True)
    yield case(DDIMInverseScheduler, "clip", SD, clip_sample=True)

    for row in grid(DDPMScheduler, **latent):
        yield row | {"seed": 21}
    yield case(DDPMScheduler, "sd15", SD, latent, steps_offset=1, steps=10, seed=22)
    yield case(DDPMScheduler, "defaults", seed=23)
    yield case(DDPMScheduler, "threshold", SD, thresholding=True, dynamic_thresholding_ratio=0.9, sample_max_value=2.0, seed=24)
    for kind in ["fixed_small_log", "fixed_large"]:
        yield case(DDPMScheduler, kind, SD, latent, variance_type=kind, seed=25)
    yield case(DDPMScheduler, "last", SD, latent, only_last=True)  # t = 0: no noise
    yield case(DDPMScheduler, "last_offset", SD, latent, steps_offset=1, only_last=True, seed=26)  # t = 1: noise

    yield from grid(EulerDiscreteScheduler)
    yield case(EulerDiscreteScheduler, "sd15", SD, timestep_spacing="leading", steps_offset=1, steps=10)
    for spacing, kind in itertools.product(SPACINGS, ["karras", "exponential"]):
        yield case(EulerDiscreteScheduler, f"{spacing}_{kind}", SD, {f"use_{kind}_sigmas": True}, timestep_spacing=spacing)
    yield case(EulerDiscreteScheduler, "karras_range", SD, use_karras_sigmas=True, sigma_min=0.1, sigma_max=10.0)
    yield case(EulerDiscreteScheduler, "log_linear", SD, interpolation_type="log_linear")
    yield case(EulerDiscreteScheduler, "sigma_min", SD, final_sigmas_type="sigma_min")
    yield case(EulerDiscreteScheduler, "continuous", SD, timestep_type="continuous", prediction_type="v_prediction", use_karras_sigmas=True)
    yield case(EulerDiscreteScheduler, "churn", SD, step=dict(s_churn=2.0, s_noise=1.1), seed=41)

    dpm = DPMSolverMultistepScheduler
    yield from grid(dpm)
    yield case(dpm, "sd15", SD, timestep_spacing="leading", steps_offset=1, steps=10)
    yield case(dpm, "defaults")
    yield case(dpm, "order1", SD, solver_order=1)
    yield case(dpm, "order3", SD, solver_order=3, steps=10)
    yield case(dpm, "heun", SD, solver_type="heun")
    yield case(dpm, "16_steps", SD, steps=16)  # from 15 steps on the last step keeps its order
    yield case(dpm, "no_lower_order", SD, lower_order_final=False, final_sigmas_type="sigma_min")
    yield case(dpm, "sigma_min", SD, final_sigmas_type="sigma_min")
    yield case(dpm, "euler_at_final", SD, euler_at_final=True, steps=16)
    yield case(dpm, "lambda_clip", BETAS["cosine"], lambda_min_clipped=-5.1)
    yield case(dpm, "threshold", SD, thresholding=True, dynamic_thresholding_ratio=0.9, sample_max_value=2.0)
    for spacing in SPACINGS:
        yield case(dpm, f"{spacing}_karras", SD, use_karras_sigmas=True, timestep_spacing=spacing)
    yield case(dpm, "karras_heun", SD, use_karras_sigmas=True, solver_type="heun", steps=10)
    # From 4 steps on the first timestep repeats (998, 998, ...); diffusers then begins at the second place and runs
    # past the end of its list: an IndexError in its last step, which needs no imitation.
    yield case(dpm, "karras_cosine", BETAS["cosine"], use_karras_sigmas=True, steps=3)
    yield case(dpm, "karras_50", SD, use_karras_sigmas=True, steps=50)  # rounded timesteps repeat near 0
    yield case(dpm, "lu", SD, use_lu_lambdas=True)
    yield case(dpm, "exponential", SD, use_exponential_sigmas=True)
    yield case(dpm, "sde", SD, algorithm_type="sde-dpmsolver++", seed=51)


class Recorded(torch.overrides.TorchFunctionMode):
    """Keeps what torch.randn returns, so that a test can feed the same noise without a generator."""

    def __init__(self):
        super().__init__()
        self.noise = []

    def __torch_function__(self, func, types, args=(), kwargs=None):
        out = func(*args, **(kwargs or {}))
        if func is torch.randn:
            self.noise.append(out)
        return out


def run(row, index):
    """Steps through the schedule; returns the case's tensors and what belongs into its row."""
    scheduler = CLASS_BY_NAME[row["class"]](**row["config"])
    scheduler.set_timesteps(row["num_inference_steps"])
    timesteps = scheduler.timesteps[-1:] if row.get("only_last") else scheduler.timesteps
    scale = float(scheduler.init_noise_sigma)
    x = randn(7000 + index, 2, 4, 2, 3) * scale
    outputs = randn(8000 + index, len(timesteps), *x.shape)
    out = {"sample": x, "model_outputs": outputs, "expect/timesteps": scheduler.timesteps.clone()}
    if hasattr(scheduler, "sigmas"):
        out["expect/sigmas"] = scheduler.sigmas
    arguments = dict(row.get("step", {}))
    if "seed" in row:
        arguments["generator"] = generator(row["seed"])
    samples, scaled = [], []
    with Recorded() as recorded:
        for t, output in zip(timesteps, outputs):
            scaled.append(scheduler.scale_model_input(x, t).clone())
            x = scheduler.step(output, t, x, **arguments).prev_sample
            samples.append(x)
    out["expect/samples"] = torch.stack(samples)
    if row["class"].startswith("Euler"):
        out["expect/scaled_inputs"] = torch.stack(scaled)
    if recorded.noise:
        out["noise"] = torch.stack(recorded.noise)
    assert all(v.isfinite().all() for v in out.values()), row
    return {f"{row['id']}/{k}": v for k, v in out.items()}, scheduler, scale


def add_noise(cls, index, **config):
    """Forward noising (image to image), and a denoising that begins in the middle of the schedule."""
    scheduler = cls(**config)
    scheduler.set_timesteps(10)
    row = {"id": f"{short(cls)}_add_noise", "class": cls.__name__, "config": config, "num_inference_steps": 10, "kind": "add_noise", "begin": 4}
    clean, noise = randn(9000 + index, 2, 4, 2, 3), randn(9100 + index, 2, 4, 2, 3)
    t = scheduler.timesteps[4]
    if hasattr(scheduler, "set_begin_index"):
        scheduler.set_begin_index(4)
    noisy = scheduler.add_noise(clean, noise, torch.stack([t, t]))
    out = {"original": clean, "noise": noise, "timestep": t.reshape(1), "expect/noisy": noisy}
    outputs = randn(9200 + index, 6, *clean.shape)
    x, samples = noisy, []
    for i, output in enumerate(outputs):
        x = scheduler.scale_model_input(x, scheduler.timesteps[4 + i]) * 0 + x
        x = scheduler.step(output, scheduler.timesteps[4 + i], x).prev_sample
        samples.append(x)
    out |= {"model_outputs": outputs, "expect/samples": torch.stack(samples)}
    return row, {f"{row['id']}/{k}": v for k, v in out.items()}


def main():
    folder = new_case("schedulers")
    rows, tensors, alphas = [], {}, {}
    for index, row in enumerate(cases()):
        out, scheduler, scale = run(row, index)
        tensors |= out
        key = scheduler.alphas_cumprod.numpy().tobytes()
        if key not in alphas:  # 4 kB each and few different ones: kept once, named after the first case that has them
            alphas[key] = f"alphas_cumprod/{row['id']}"
            tensors[alphas[key]] = scheduler.alphas_cumprod
        rows.append(row | {"init_noise_sigma": scale, "alphas_cumprod": alphas[key]})
    for index, (cls, config) in enumerate(
        [
            (DDIMScheduler, SD | dict(clip_sample=False, set_alpha_to_one=False, steps_offset=1)),
            (EulerDiscreteScheduler, SD | dict(timestep_spacing="leading", steps_offset=1)),
            (DPMSolverMultistepScheduler, SD | dict(timestep_spacing="leading", steps_offset=1)),
        ]
    ):
        row, out = add_noise(cls, index, **config)
        rows.append(row)
        tensors |= out
    assert len({r["id"] for r in rows}) == len(rows)
    save_json_lines(folder / "cases.json", rows)
    save_tensors(folder / "io.safetensors", tensors)
    for cls in CLASSES:  # the file as diffusers writes it, with every field; DPM's holds the non-JSON value -Infinity
        cls(**SD).save_pretrained(folder / short(cls))


CLASS_BY_NAME = {c.__name__: c for c in CLASSES}
