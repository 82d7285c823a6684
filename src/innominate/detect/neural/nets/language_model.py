"""A character language model, one direction: what comes next in a text (Akbik 2018)."""

from __future__ import annotations

from torch import Tensor, nn


class LanguageModel(nn.Module):
    """Character vectors, one LSTM, one score per character. A backward model reads reversed text."""

    def __init__(self, chars: int, *, letter: int = 100, hidden: int = 1024, dropout: float = 0.1) -> None:
        super().__init__()
        self.embed = nn.Embedding(chars, letter)
        self.dropout = nn.Dropout(dropout)
        self.lstm = nn.LSTM(letter, hidden, batch_first=True)
        self.out = nn.Linear(hidden, chars)
        for values in (self.embed.weight, self.out.weight):
            nn.init.uniform_(values, -0.1, 0.1)

    def forward(self, chars: Tensor, state: tuple[Tensor, Tensor] | None = None) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """Return the states after each character, and the last one to carry on from."""
        read: tuple[Tensor, tuple[Tensor, Tensor]] = self.lstm(self.dropout(self.embed(chars)), state)
        return read

    def loss(self, chars: Tensor, state: tuple[Tensor, Tensor] | None) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """Guess each next character; the state is carried over but not its history."""
        read, state = self(chars[:, :-1], state)
        guessed = self.out(self.dropout(read)).float()
        loss = nn.functional.cross_entropy(guessed.flatten(0, 1), chars[:, 1:].flatten())
        return loss, (state[0].detach(), state[1].detach())
