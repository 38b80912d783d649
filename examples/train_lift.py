"""A policy learns to lift a soft beam with a Panda: PPO on the native vector environment, the hand's displacement and the gripper as action.

    python examples/train_lift.py --out lift                    # 3 million actions; the same command continues after an interruption
    python examples/train_lift.py --out lift --seconds 500      # part of it
    python examples/train_lift.py --out lift --evaluate         # 50 episodes with the policy so far
    python examples/train_lift.py --out lift --picture lift.png # the curve (matplotlib)

The folder gets checkpoint.pt and curve.csv. Needs torch and gymnasium, nothing else. Rewards are those of Isaac Lab's lift: come near, lift, hold
high. The algorithm is PPO as in Schulman et al. 2017 with a learning rate that adapts to the KL divergence of the policy.
"""

from __future__ import annotations

import argparse
import csv
import dataclasses
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

try:
    import torch
    from torch import nn
except ImportError:
    sys.exit("train_lift.py needs torch, which is not installed: pip install torch")
try:
    from pliant.gym import Frame, VectorEnv, tasks
except ImportError as missing:
    sys.exit(f"train_lift.py needs pliant and gymnasium ({missing}): pip install pliant[gym]")

Floats = npt.NDArray[np.float64]
COLUMNS = ("actions", "seconds", "return", "reward", "success", "spread", "evaluated")


@dataclasses.dataclass
class Settings:
    rows: int = 256  # episodes at once
    horizon: int = 48  # actions of a row between two updates
    epochs: int = 5
    parts: int = 4  # minibatches of an epoch
    discount: float = 0.98
    trace: float = 0.95  # lambda of generalised advantage estimation
    clip: float = 0.2
    entropy: float = 0.001
    divergence: float = 0.01  # target KL divergence of an update; the learning rate is adapted to it
    rate: float = 3e-4
    width: int = 128
    spread: float = 0.8  # standard deviation of the first actions


# ---- the task


def shaped(f: Frame) -> Floats:
    """Come near, lift, hold at 0.2 m: each between 0 and 1, the later ones count more."""
    tip = f["panda/hand.position"] - np.array([0.0, 0.0, 0.1034])
    height = f["beam.com.z"]
    near = 1 - np.tanh(np.linalg.norm(tip - f["beam.com"], axis=1) / 0.1)
    lift = np.clip((height - 0.02) / 0.04, 0, 1)
    high = np.where(height > 0.04, 1 - np.tanh(np.abs(height - 0.2) / 0.1), 0)
    return np.asarray(0.1 * near + 0.4 * lift + 0.5 * high)


training = dataclasses.replace(tasks["lift"], reward=shaped)


# ---- the policy


class Policy:
    """Two small networks: the mean of a normal distribution of actions, and the value of a state. Observations are scaled to mean 0, deviation 1."""

    def __init__(self, observation: int, action: int, s: Settings) -> None:
        def network(out: int) -> Any:
            layers: list[Any] = []
            for a, b in ((observation, s.width), (s.width, s.width)):
                layers += [nn.Linear(a, b), nn.ELU()]
                nn.init.orthogonal_(layers[-2].weight, 2**0.5)
            layers.append(nn.Linear(s.width, out))
            nn.init.orthogonal_(layers[-1].weight, 0.01)
            nn.init.zeros_(layers[-1].bias)
            return nn.Sequential(*layers)

        self.net = nn.ModuleDict({"actor": network(action), "critic": network(1)})
        self.net.register_parameter("log_spread", nn.Parameter(torch.full((action,), float(np.log(s.spread)))))
        self.count, self.mean, self.square = 1e-4, np.zeros(observation), np.ones(observation)

    def learn_scale(self, observation: Floats) -> None:
        n, total = len(observation), self.count + len(observation)
        self.mean = self.mean + (observation.mean(axis=0) - self.mean) * n / total
        self.square = self.square + ((observation**2).mean(axis=0) - self.square) * n / total
        self.count = total

    def scaled(self, observation: Floats) -> Any:
        spread = np.sqrt(np.maximum(self.square - self.mean**2, 1e-8))
        return torch.as_tensor(np.clip((observation - self.mean) / spread, -10, 10), dtype=torch.float32)

    def distribution(self, scaled: Any) -> Any:
        return torch.distributions.Normal(self.net["actor"](scaled), self.net.log_spread.exp())

    def value(self, scaled: Any) -> Any:
        return self.net["critic"](scaled).squeeze(-1)

    def act(self, observation: Floats) -> Floats:
        """The mean action, without sampling."""
        with torch.no_grad():
            return np.asarray(self.net["actor"](self.scaled(observation)).numpy(), dtype=np.float64)

    def state(self) -> dict[str, Any]:
        return {"net": self.net.state_dict(), "count": self.count, "mean": self.mean.tolist(), "square": self.square.tolist()}

    def load(self, state: dict[str, Any]) -> None:
        self.net.load_state_dict(state["net"])
        self.count, self.mean, self.square = state["count"], np.array(state["mean"]), np.array(state["square"])


def evaluate(policy: Policy, env: VectorEnv, seed: int) -> float:
    """Fraction of the rows whose episode ends with the beam held high."""
    observation, _ = env.reset(seed=seed)
    success = np.zeros(env.num_envs, dtype=np.bool_)
    for _ in range(env.task.length):
        observation, _, _, _, infos = env.step(policy.act(observation))
        success = infos["success"]
    return float(success.mean())


# ---- PPO


class Trainer:
    """Everything that a checkpoint keeps, and the environment."""

    def __init__(self, out: Path, s: Settings, seed: int, threads: int) -> None:
        torch.manual_seed(seed)
        self.out, self.s, self.seed = out, s, seed
        self.env = VectorEnv(training, s.rows, autoreset_mode="SameStep", threads=threads)
        self.judge = VectorEnv(tasks["lift"], 50, autoreset_mode="Disabled", threads=threads, model=self.env.batch.model)
        self.policy = Policy(self.env.observation_space.sample().shape[1], self.env.action_space.sample().shape[1], s)
        self.optimizer = torch.optim.Adam(self.policy.net.parameters(), lr=s.rate)
        self.actions, self.seconds, self.updates = 0, 0.0, 0
        self.curve: list[list[float]] = []
        if (out / "checkpoint.pt").exists():
            self.load()
        # new episodes, the first ones of different lengths, so that an update sees all parts of an episode
        self.observation, _ = self.env.reset(seed=seed + 1_000_003 * (self.updates + 1))
        self.total = np.zeros(s.rows)
        self.cut = np.random.default_rng(seed).integers(0, self.env.task.length, s.rows)
        self.steps = 0

    def save(self) -> None:
        state = {"policy": self.policy.state(), "optimizer": self.optimizer.state_dict(), "random": torch.get_rng_state()}
        state |= {"actions": self.actions, "seconds": self.seconds, "updates": self.updates, "curve": self.curve}
        fresh = self.out / "checkpoint.pt.new"
        torch.save(state, fresh)
        os.replace(fresh, self.out / "checkpoint.pt")
        with open(self.out / "curve.csv", "w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(COLUMNS)
            writer.writerows([f"{x:.6g}" for x in row] for row in self.curve)

    def load(self) -> None:
        state = torch.load(self.out / "checkpoint.pt", weights_only=True)
        self.policy.load(state["policy"])
        self.optimizer.load_state_dict(state["optimizer"])
        torch.set_rng_state(state["random"])
        self.actions, self.seconds, self.updates = state["actions"], state["seconds"], state["updates"]
        self.curve = state["curve"]

    def collect(self) -> tuple[dict[str, Any], list[float], list[float]]:
        """horizon actions of every row; returns and successes of the episodes that ended."""
        s, env = self.s, self.env
        seen: dict[str, list[Any]] = {k: [] for k in ("scaled", "action", "chance", "value", "next", "reward", "done")}
        returns, successes = [], []
        for _ in range(s.horizon):
            self.policy.learn_scale(self.observation)
            with torch.no_grad():
                scaled = self.policy.scaled(self.observation)
                distribution = self.policy.distribution(scaled)
                action = distribution.sample()
                chance, value = distribution.log_prob(action).sum(-1), self.policy.value(scaled)
            observation, reward, terminated, truncated, infos = env.step(action.numpy())
            done = terminated | truncated
            end = observation
            if done.any():
                end = observation.copy()
                for i in np.flatnonzero(done):
                    end[i] = infos["final_obs"][i]
            self.total += reward
            returns += list(self.total[done])
            if done.any():
                successes += list(infos["final_info"]["success"][done])
            early = (self.cut == self.steps) & ~done
            self.steps += 1
            if early.any():
                observation, _ = env.reset(options={"reset_mask": early})
            with torch.no_grad():
                after = self.policy.value(self.policy.scaled(end))
            done = done | early
            self.total[done] = 0
            # episodes of this task only time out (terminated never happens), so the value of the last state still counts
            for name, x in zip(seen, (scaled, action, chance, value, after, reward, done)):
                seen[name].append(x if torch.is_tensor(x) else torch.as_tensor(x, dtype=torch.float32))
            self.observation = observation
        self.actions += s.horizon * s.rows
        return {k: torch.stack(v) for k, v in seen.items()}, returns, successes

    def improve(self, seen: dict[str, Any]) -> None:
        s = self.s
        advantage = torch.zeros_like(seen["reward"])
        ahead = torch.zeros(s.rows)
        for t in reversed(range(s.horizon)):
            delta = seen["reward"][t] + s.discount * seen["next"][t] - seen["value"][t]
            ahead = delta + s.discount * s.trace * (1 - seen["done"][t]) * ahead
            advantage[t] = ahead
        target = (advantage + seen["value"]).flatten()
        advantage = ((advantage - advantage.mean()) / (advantage.std() + 1e-8)).flatten()
        scaled, action, chance = seen["scaled"].flatten(0, 1), seen["action"].flatten(0, 1), seen["chance"].flatten()
        with torch.no_grad():
            old = self.policy.distribution(scaled)
        for _ in range(s.epochs):
            for part in torch.randperm(len(target)).chunk(s.parts):
                new = self.policy.distribution(scaled[part])
                ratio = (new.log_prob(action[part]).sum(-1) - chance[part]).exp()
                gain = torch.min(ratio * advantage[part], ratio.clamp(1 - s.clip, 1 + s.clip) * advantage[part]).mean()
                miss = (self.policy.value(scaled[part]) - target[part]).square().mean()
                loss = -gain + 0.5 * miss - s.entropy * new.entropy().sum(-1).mean()
                with torch.no_grad():
                    before = torch.distributions.Normal(old.loc[part], old.scale[part])
                    divergence = float(torch.distributions.kl_divergence(before, new).sum(-1).mean())
                for group in self.optimizer.param_groups:
                    if divergence > 2 * s.divergence:
                        group["lr"] = max(group["lr"] / 1.5, 1e-5)
                    elif divergence < 0.5 * s.divergence:
                        group["lr"] = min(group["lr"] * 1.5, 3e-3)
                self.optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.policy.net.parameters(), 1.0)
                self.optimizer.step()
        self.updates += 1

    def train(self, actions: int, seconds: float, every: int) -> None:
        """Trains up to a total number of actions, or for a number of seconds in this call."""
        start = last = time.time()
        while self.actions < actions and time.time() - start < seconds:
            seen, returns, successes = self.collect()
            self.improve(seen)
            self.seconds += time.time() - last
            last = time.time()
            evaluated = float("nan")
            if self.updates % every == 0 or self.actions >= actions:
                evaluated = evaluate(self.policy, self.judge, 1_000_000)
            mean = float(np.mean(returns)) if returns else float("nan")
            part = float(np.mean(successes)) if successes else float("nan")
            spread = float(self.policy.net.log_spread.detach().exp().mean())
            row = [float(self.actions), self.seconds, mean, float(seen["reward"].mean()), part, spread, evaluated]
            self.curve.append(row)
            print(
                f"{self.actions:8d} actions {self.seconds:6.0f} s  return {mean:6.2f}  reward {row[3]:.3f}  success {part:.2f}  "
                f"spread {spread:.2f}  rate {self.optimizer.param_groups[0]['lr']:.1e}"
                + ("" if np.isnan(evaluated) else f"  evaluated {evaluated:.2f}"),
                flush=True,
            )
            if self.updates % every == 0:
                self.save()
        self.save()


def picture(curve: Path, path: str) -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    rows = dict(zip(COLUMNS, np.loadtxt(curve, delimiter=",", skiprows=1, ndmin=2).T))
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5))
    left.plot(rows["actions"] / 1e6, rows["return"])
    left.set(xlabel="million actions", ylabel="return of an episode")
    judged = ~np.isnan(rows["evaluated"])
    right.plot(rows["actions"] / 1e6, 100 * rows["success"], label="while it learns")
    right.plot(rows["actions"][judged] / 1e6, 100 * rows["evaluated"][judged], label="50 episodes without chance")
    right.axhline(80, color="grey", linestyle=":")
    right.set(xlabel="million actions", ylabel="episodes that lift the beam [%]")
    right.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=110)


def settings(words: Sequence[str]) -> Settings:
    values: dict[str, Any] = {}
    for word in words:
        name, _, value = word.partition("=")
        if name not in vars(Settings()):
            sys.exit(f"train_lift.py: there is no setting '{name}'; there are {', '.join(vars(Settings()))}")
        values[name] = type(getattr(Settings(), name))(value)
    return Settings(**values)


def main(arguments: Sequence[str] | None = None) -> float:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("train_lift"), help="folder of checkpoint.pt and curve.csv")
    parser.add_argument("--actions", type=int, default=3_000_000, help="in all, over all calls")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="of this call")
    parser.add_argument("--set", nargs="*", default=[], metavar="NAME=VALUE", help="other settings of PPO: " + ", ".join(vars(Settings())))
    parser.add_argument("--threads", type=int, default=0, help="0: all processors")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--every", type=int, default=10, help="updates between two evaluations and checkpoints")
    parser.add_argument("--evaluate", action="store_true", help="50 episodes with the policy so far, no training")
    parser.add_argument("--picture", metavar="PNG", help="draws the curve so far, no training")
    a = parser.parse_args(arguments)
    if a.picture:
        picture(a.out / "curve.csv", a.picture)
        return 0.0
    a.out.mkdir(parents=True, exist_ok=True)
    trainer = Trainer(a.out, settings(a.set), a.seed, a.threads)
    if not a.evaluate:
        trainer.train(a.actions, a.seconds, a.every)
    success = evaluate(trainer.policy, trainer.judge, 2_000_000)
    print(f"{round(50 * success)} of 50 episodes end with the beam lifted, after {trainer.actions} actions")
    return success


if __name__ == "__main__":
    main()
