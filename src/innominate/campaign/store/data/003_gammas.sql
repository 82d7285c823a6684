-- What was worked out about agreement, by what it was worked out from. Nothing depends on it: without it the same is worked out again.
CREATE TABLE gammas (
    name TEXT PRIMARY KEY,
    data TEXT NOT NULL
);
