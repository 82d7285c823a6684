"""A linear-chain CRF over emissions: likelihood, best path, and exact marginals."""

from __future__ import annotations

import torch
from torch import Tensor, nn

_TINY = 1e-30


class Crf(nn.Module):
    """Transitions between tags, learnt with the network below it."""

    def __init__(self, tags: int) -> None:
        super().__init__()
        self.transitions = nn.Parameter(torch.zeros(tags, tags))
        self.start = nn.Parameter(torch.zeros(tags))
        self.end = nn.Parameter(torch.zeros(tags))

    def loss(self, emissions: Tensor, tags: Tensor, mask: Tensor) -> Tensor:
        """Negative log-likelihood per piece."""
        emissions = emissions.float()
        return (self._partition(emissions, mask) - self._score(emissions, tags, mask)).sum() / mask.sum()

    def _score(self, emissions: Tensor, tags: Tensor, mask: Tensor) -> Tensor:
        kept = mask.float()
        emitted = (emissions.gather(2, tags.unsqueeze(2)).squeeze(2) * kept).sum(1)
        moved = (self.transitions[tags[:, :-1], tags[:, 1:]] * kept[:, 1:]).sum(1)
        last = tags.gather(1, mask.sum(1, keepdim=True) - 1).squeeze(1)
        return emitted + moved + self.start[tags[:, 0]] + self.end[last]

    def _partition(self, emissions: Tensor, mask: Tensor) -> Tensor:
        # A matrix product of exponentials instead of a sum over pairs: much faster, and safe after taking off the maximum.
        moves = self.transitions.exp()
        alpha = self.start + emissions[:, 0]
        for step in range(1, emissions.shape[1]):
            top = alpha.amax(1, keepdim=True)
            moved = ((alpha - top).exp() @ moves).clamp_min(_TINY).log() + top + emissions[:, step]
            alpha = torch.where(mask[:, step].unsqueeze(1), moved, alpha)
        return torch.logsumexp(alpha + self.end, 1)

    @torch.no_grad()
    def best(self, emissions: Tensor, mask: Tensor) -> Tensor:
        """The best path; pieces outside the mask get tag 0."""
        emissions = emissions.float()
        score = self.start + emissions[:, 0]
        back = []
        same = torch.arange(emissions.shape[2], device=emissions.device).expand_as(score)
        for step in range(1, emissions.shape[1]):
            value, came = (score.unsqueeze(2) + self.transitions).max(1)
            on = mask[:, step].unsqueeze(1)
            score = torch.where(on, value + emissions[:, step], score)
            back.append(torch.where(on, came, same))
        path = [(score + self.end).argmax(1)]
        for came in reversed(back):
            path.append(came.gather(1, path[-1].unsqueeze(1)).squeeze(1))
        return torch.stack(path[::-1], 1) * mask

    def marginals(self, emissions: Tensor, mask: Tensor) -> Tensor:
        """Probability of each tag at each piece: the gradient of the log-partition."""
        emissions = emissions.detach().float().requires_grad_()
        with torch.enable_grad():
            (grad,) = torch.autograd.grad(self._partition(emissions, mask).sum(), emissions)
        return grad
