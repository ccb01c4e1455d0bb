"""Finds a coloured shape in a picture and names it: the simple classifier behind the quality figures."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np

import draw

SMALLEST_AREA = 150  # pixels; the smallest drawn shape covers about 500
TEMPLATE = 48


def find_colour(picture: np.ndarray, colour: str) -> np.ndarray | None:
    """The largest patch whose pixels are nearer to `colour` than to any other; None without one."""
    palette = {**draw.COLOURS, **draw.BACKGROUNDS}
    distances = np.stack([np.abs(picture.astype(np.float32) - rgb).sum(2) for rgb in palette.values()])
    mask = (distances.argmin(0) == list(palette).index(colour)).astype(np.uint8)
    # Blends at the edge of another shape can look like this colour, but only one pixel wide.
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
    if count < 2:
        return None
    largest = 1 + stats[1:, cv2.CC_STAT_AREA].argmax()
    return labels == largest if stats[largest, cv2.CC_STAT_AREA] >= SMALLEST_AREA else None


def normalised(mask: np.ndarray) -> np.ndarray:
    """Moved to the centre and scaled to one area, so that shapes compare whatever their size."""
    y, x = np.nonzero(mask)
    scale = TEMPLATE / 2.4 / np.sqrt(len(y))
    move = np.float32([[scale, 0, TEMPLATE / 2 - scale * x.mean()], [0, scale, TEMPLATE / 2 - scale * y.mean()]])
    return cv2.warpAffine(mask.astype(np.float32), move, (TEMPLATE, TEMPLATE), flags=cv2.INTER_AREA)


@cache
def templates() -> list[tuple[str, np.ndarray]]:
    middle = draw.SIZE / 2
    return [(shape, normalised(draw.Thing(shape, "red", middle, middle, 40, angle).coverage() > 0.5))
            for shape in draw.SHAPES for angle in range(-12, 13, 4)]


def name_shape(mask: np.ndarray) -> str:
    found = normalised(mask)
    overlap = [np.minimum(found, t).sum() / np.maximum(found, t).sum() for _, t in templates()]
    return templates()[int(np.argmax(overlap))][0]


def name_background(picture: np.ndarray) -> str:
    border = np.concatenate([picture[:3].reshape(-1, 3), picture[-3:].reshape(-1, 3),
                             picture[:, :3].reshape(-1, 3), picture[:, -3:].reshape(-1, 3)])
    colour = np.median(border, 0)
    return min(draw.BACKGROUNDS, key=lambda name: np.abs(colour - draw.BACKGROUNDS[name]).sum())
