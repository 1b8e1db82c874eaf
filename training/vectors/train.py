"""Trains the word vectors: python3 train.py DATA OUT MINUTES [name=value ...]

DATA holds what encode.ts wrote (packed with xz or not). OUT gets table.i8, scales.f32, words.txt and log.json.
"""

import json
import lzma
import math
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torch
import torch.nn.functional as F

data, out, minutes = sys.argv[1], sys.argv[2], float(sys.argv[3])
torch.backends.cuda.matmul.allow_tf32 = True
device = "cuda" if torch.cuda.is_available() else "cpu"
os.makedirs(out, exist_ok=True)
began = time.time()

SETTINGS = dict(dim=256, batch=8192, epochs=12, rate=1.5e-3, temperature=0.05, damping=0.5, path=1.5,
                drop_query=0.1, drop_code=0.1, seeds=4, both=4.0, mined=0, mine_from=6, skipped=2)
for given in sys.argv[4:]:
    name, value = given.split("=")
    SETTINGS[name] = type(SETTINGS[name])(float(value))
KINDS = ["doc", "name", "inline", "test", "head", "md", "commit", "both"]
BOTH = KINDS.index("both")
QUERY, PATH, CODE = 40, 12, 112


def load(name):
    plain = f"{data}/{name}"
    if os.path.exists(plain):
        return open(plain, "rb").read()
    parts = sorted(part for part in os.listdir(data) if part.startswith(name + ".") and part.endswith(".xz"))
    if not parts:
        sys.exit(f"{plain} is not there: run `npm run vectors:encode` first, and give its folder here")
    with ThreadPoolExecutor(16) as pool:
        return b"".join(pool.map(lambda part: lzma.decompress(open(f"{data}/{part}", "rb").read()), parts))


words = load("words.txt").decode().split("\n")
rows = len(words)
with open(f"{out}/words.txt", "w", encoding="utf-8") as file:  # A model is these words and the numbers below.
    file.write("\n".join(words))


class Pairs:
    """Pairs as bags of rows, padded with `rows`."""

    def __init__(self, name):
        meta = torch.from_numpy(np.frombuffer(load(name + ".meta"), np.uint8).reshape(-1, 6).astype(np.int64)).to(device)
        self.kind, self.repository = meta[:, 0], meta[:, 1] + 256 * meta[:, 2]
        lengths = meta[:, 3:6]
        flat = lengths.reshape(-1)
        starts = torch.cumsum(flat, 0) - flat
        steps = torch.from_numpy(np.frombuffer(load(name + ".ids"), np.uint16).astype(np.int64)).to(device)
        total = torch.cumsum(steps, 0)
        before = torch.where(starts > 0, total[(starts - 1).clamp(min=0)], 0)
        self.size = len(meta)
        starts, before = starts.reshape(-1, 3), before.reshape(-1, 3)
        sides = [self.pad(total, starts[:, side], before[:, side], lengths[:, side], most)
                 for side, most in ((0, QUERY), (1, PATH), (2, CODE))]
        self.query, self.path, self.code = sides
        self.weight = self.damped(self.code)
        self.query_hash = self.hash(self.query)
        self.code_hash = self.hash(self.code)

    def pad(self, total, start, before, length, most):
        at = torch.arange(most, device=device)
        padded = torch.empty(self.size, most, dtype=torch.int32, device=device)
        for first in range(0, self.size, 200_000):
            part = slice(first, first + 200_000)
            index = (start[part, None] + at).clamp(max=len(total) - 1)
            value = (total[index] - before[part, None]).int()
            padded[part] = torch.where(at < length[part, None], value, rows)
        return padded

    def damped(self, bags):
        """Each of n equal words counts n ** (damping - 1)."""
        weight = torch.empty(bags.shape, dtype=torch.float16, device=device)
        for first in range(0, len(bags), 100_000):
            bag = bags[first:first + 100_000]
            is_new = torch.ones_like(bag, dtype=torch.bool)
            is_new[:, 1:] = bag[:, 1:] != bag[:, :-1]  # They are in order.
            group = is_new.cumsum(1) - 1
            count = torch.zeros(bag.shape, device=device).scatter_add_(1, group, torch.ones(bag.shape, device=device))
            weight[first:first + 100_000] = (count.gather(1, group) ** (SETTINGS["damping"] - 1)).half()
        return weight

    def hash(self, bags):
        value = torch.zeros(len(bags), dtype=torch.int64, device=device)
        for column in range(bags.shape[1]):
            value = value * 1_000_003 + bags[:, column].long()
        return value


train, held = Pairs("train"), Pairs("held")
held_names = load("held.repositories").decode().split("\n")
if train.size == 0:
    sys.exit(f"{data} holds no pairs to train with")
SETTINGS["batch"] = min(SETTINGS["batch"], train.size)  # A small corpus is one batch.
print(f"{train.size} pairs, {held.size} held out, {rows} words, {time.time() - began:.0f} s", flush=True)


def embed(table, bag, weight):
    return F.embedding_bag(bag.long(), table, mode="sum", per_sample_weights=weight)


def query_vectors(tables, pairs, index, drop=0.0, random=None):
    bag = pairs.query[index]
    weight = torch.ones(bag.shape, device=device)
    if drop:
        weight = (torch.rand(bag.shape, device=device, generator=random) >= drop).float()
    return F.normalize(embed(tables[0], bag, weight), dim=1)


def code_vectors(tables, pairs, index, drop=0.0, random=None):
    bag, path = pairs.code[index], pairs.path[index]
    weight = pairs.weight[index].float()
    if drop:
        weight = weight * (torch.rand(bag.shape, device=device, generator=random) >= drop).float()
    stand = torch.full(path.shape, SETTINGS["path"], device=device)
    return F.normalize(embed(tables[1], bag, weight) + embed(tables[1], path, stand), dim=1)


def batches(random):
    """Pairs of one repository together, so that what is wrong is hard to tell from what is right; translations by themselves."""
    size = SETTINGS["batch"]
    index = torch.arange(train.size, device=device)
    translated = index[train.kind == BOTH]
    more = int(len(translated) * (SETTINGS["both"] - 1))
    if more > 0 and len(translated) > 0:
        extra = translated[torch.randint(len(translated), (more,), device=device, generator=random)]
        index = torch.cat([index, extra])
    index = index[torch.rand(len(index), device=device, generator=random).argsort()]
    place = torch.where(train.kind[index] == BOTH, 100_000, train.repository[index])
    index = index[place.argsort(stable=True)]
    count = len(index) // size
    for number in torch.randperm(count, device=device, generator=random).tolist():
        yield index[number * size:(number + 1) * size]


def mine(tables):
    """For each pair the codes that the model itself mistakes for the right one, the nearest ones of its own repository and of
    those around it in the list. The very nearest are left alone: they are often as right."""
    found = torch.full((train.size, SETTINGS["mined"]), -1, dtype=torch.int32, device=device)
    order = train.repository.argsort(stable=True)
    size = 65_536
    with torch.no_grad():
        for first in range(0, train.size, size):
            index = order[first:first + size]
            index = index[train.kind[index] != BOTH]
            code = code_vectors(tables, train, index).half()
            most = min(SETTINGS["mined"] + SETTINGS["skipped"] + 1, len(index))
            for part in index.split(4096):
                score = query_vectors(tables, train, part).half() @ code.T
                score.masked_fill_(train.code_hash[part][:, None] == train.code_hash[index][None], -2)
                score.masked_fill_(train.query_hash[part][:, None] == train.query_hash[index][None], -2)
                near = score.topk(most, dim=1).indices[:, SETTINGS["skipped"]:]
                found[part, :near.shape[1] - 1] = index[near[:, :-1]].int()
    return found


def mean_reciprocal_rank(tables):
    """In each held-out repository: the rank of the definition for its comment, among at most 2,000."""
    found = {}
    for number, name in enumerate(held_names):
        index = torch.nonzero((held.repository == number) & (held.kind == 0)).flatten()[:2000]
        if len(index) < 50:
            continue
        with torch.no_grad():
            score = query_vectors(tables, held, index) @ code_vectors(tables, held, index).T
        rank = (score > score.diagonal()[:, None]).sum(1) + 1
        is_chinese = torch.tensor([any(ord(words[row][0]) > 0x3400 for row in bag if row < rows)
                                   for bag in held.query[index].tolist()], device=device)
        value = torch.where(rank <= 10, 1 / rank.float(), 0.0)
        for language, chosen in (("en", ~is_chinese), ("zh", is_chinese)):
            if chosen.sum() >= 30:
                found.setdefault(language, []).append((name, float(value[chosen].mean()), int(chosen.sum())))
    return found


def told(found):
    return " ".join(f"{language} {np.mean([value for _, value, _ in list_]):.4f}" for language, list_ in found.items())


def fit(seed):
    random = torch.Generator(device=device).manual_seed(seed)
    start = torch.Generator(device=device).manual_seed(0)  # The same for all seeds, so that their tables can be averaged.
    table = torch.nn.Parameter(torch.randn(rows + 1, SETTINGS["dim"], device=device, generator=start) / math.sqrt(SETTINGS["dim"]))
    counts = torch.bincount(torch.cat([train.query.flatten()[::3], train.code.flatten()[::3]]).long(), minlength=rows + 1).float()
    rarity = torch.log(1e-3 / (1e-3 + counts / counts[:rows].sum())).clamp(min=-5)
    ask, say = torch.nn.Parameter(rarity.clone()), torch.nn.Parameter(rarity.clone())
    sharpness = torch.nn.Parameter(torch.tensor(math.log(1 / SETTINGS["temperature"]), device=device))
    rate = SETTINGS["rate"]
    optimizer = torch.optim.Adam([dict(params=[table], lr=rate), dict(params=[ask, say], lr=rate * 2),
                                  dict(params=[sharpness], lr=1e-3)], betas=(0.9, 0.98))
    rates = [group["lr"] for group in optimizer.param_groups]
    keep = torch.ones(rows + 1, 1, device=device)
    keep[rows] = 0
    tables = lambda: (table * torch.exp(ask)[:, None] * keep, table * torch.exp(say)[:, None] * keep)
    size, steps, step, losses, hard = SETTINGS["batch"], None, 0, [], None
    target = torch.arange(size, device=device)
    for epoch in range(SETTINGS["epochs"]):
        if epoch == SETTINGS["mine_from"] and SETTINGS["mined"] > 0:
            hard = mine(tables())
        chosen = list(batches(random))
        steps = steps or len(chosen) * SETTINGS["epochs"]
        for index in chosen:
            factor = min(1, step / 30) * max(0.0, 1 - step / steps)
            for group, base in zip(optimizer.param_groups, rates):
                group["lr"] = base * factor
            both = tables()
            asked = query_vectors(both, train, index, SETTINGS["drop_query"], random)
            code = code_vectors(both, train, index, SETTINGS["drop_code"], random)
            with torch.autocast(device, torch.bfloat16):
                score = asked @ code.T
            sharp = sharpness.exp().clamp(max=100)
            score = score.float() * sharp
            same = (train.code_hash[index][:, None] == train.code_hash[index][None]) | (
                train.query_hash[index][:, None] == train.query_hash[index][None])
            same.fill_diagonal_(False)
            score = score.masked_fill(same, -1e4)
            asking = score
            if hard is not None:
                column = torch.randint(SETTINGS["mined"], (2,), device=device, generator=random).tolist()
                for other in (hard[index, each].long() for each in column):
                    wrong = code_vectors(both, train, other.clamp(min=0), SETTINGS["drop_code"], random)
                    against = ((asked * wrong).sum(1) * sharp).masked_fill(other < 0, -1e4)
                    asking = torch.cat([asking, against[:, None]], 1)
            loss = (F.cross_entropy(asking, target) + F.cross_entropy(score.T, target)) / 2
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            step += 1
            if step % 50 == 0:
                losses.append(loss.item())
    with torch.no_grad():
        print(f"seed {seed}: {step} steps, loss {np.mean(losses[-5:]):.3f}, 1/{float(sharpness.exp()):.1f}, "
              f"{told(mean_reciprocal_rank(tables()))}, {time.time() - began:.0f} s", flush=True)
    return table.detach()[:rows], ask.detach()[:rows], say.detach()[:rows]


def full(table, ask, say):
    zero = torch.zeros(1, SETTINGS["dim"], device=device)
    return torch.cat([table * ask.exp()[:, None], zero]), torch.cat([table * say.exp()[:, None], zero])


fits = []
for seed in range(int(SETTINGS["seeds"])):
    if seed > 0 and (time.time() - began) * (seed + 1) / seed > minutes * 60:
        break
    fits.append(fit(seed))
table, ask, say = (torch.stack(each).mean(0) for each in zip(*fits))
print(f"average of {len(fits)}: {told(mean_reciprocal_rank(full(table, ask, say)))}", flush=True)
scale = table.abs().amax(1, keepdim=True) / 127 + 1e-12
packed = (table / scale).round().clamp(-127, 127).to(torch.int8)
result = mean_reciprocal_rank(full(packed.float() * scale, ask, say))
print(f"int8: {told(result)}", flush=True)
packed.cpu().numpy().tofile(f"{out}/table.i8")
np.stack([(scale[:, 0] * ask.exp()).cpu().numpy(), (scale[:, 0] * say.exp()).cpu().numpy()]).astype(np.float32).tofile(f"{out}/scales.f32")
json.dump(dict(settings=SETTINGS, pairs=train.size, rows=rows, seeds=len(fits), held=result), open(f"{out}/log.json", "w"), indent=1)
near = F.normalize(table, dim=1)
for word in ("authenticate", "cache", "retry", "delete", "登录", "缓存", "删除", "重试", "配置", "用户", "解析"):
    if word in words:
        value, index = (near @ near[words.index(word)]).topk(10)
        print(word, "→", " ".join(f"{words[row]} {score:.2f}" for row, score in zip(index.tolist()[1:], value.tolist()[1:])))
print(f"{time.time() - began:.0f} s in all")
