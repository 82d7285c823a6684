-- Free text (notes, comments, guidelines, spans, meta data) is kept as JSON: PostgreSQL's text cannot hold NUL, and UTF-8 no half surrogates.
-- Times are seconds since 1970. {serial} is a number that the database gives.

CREATE TABLE settings (
    version {serial},
    at DOUBLE PRECISION NOT NULL,
    data TEXT NOT NULL
);

CREATE TABLE guidelines (
    version INTEGER PRIMARY KEY,
    at DOUBLE PRECISION NOT NULL,
    text TEXT NOT NULL
);

CREATE TABLE annotators (
    id TEXT PRIMARY KEY,
    team TEXT NOT NULL,
    data TEXT NOT NULL
);

CREATE TABLE documents (
    number {serial},
    id TEXT NOT NULL UNIQUE,
    text TEXT NOT NULL,
    spans TEXT NOT NULL,
    meta TEXT NOT NULL,
    offsets TEXT NOT NULL
);

CREATE TABLE chunks (
    number {serial},
    id TEXT NOT NULL UNIQUE,
    document BIGINT NOT NULL REFERENCES documents (number),
    position INTEGER NOT NULL,
    view_start INTEGER NOT NULL,
    view_end INTEGER NOT NULL,
    text TEXT NOT NULL,
    patient TEXT NOT NULL,
    unit TEXT NOT NULL,
    training INTEGER NOT NULL
);
CREATE INDEX chunks_of_document ON chunks (document);

-- What a person was shown to begin with. The audience is an annotator's id, or "team NAME".
CREATE TABLE suggestions (
    chunk BIGINT NOT NULL REFERENCES chunks (number),
    audience TEXT NOT NULL,
    spans TEXT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (chunk, audience)
);

-- One row per person and chunk: where they stand now. Never two, so nobody gets a chunk twice.
CREATE TABLE work (
    chunk BIGINT NOT NULL REFERENCES chunks (number),
    annotator TEXT NOT NULL REFERENCES annotators (id),
    state TEXT NOT NULL CHECK (state IN ('leased', 'accept', 'reject', 'ignore')),
    since DOUBLE PRECISION NOT NULL,
    until DOUBLE PRECISION NOT NULL,
    revision INTEGER NOT NULL,
    PRIMARY KEY (chunk, annotator)
);
CREATE INDEX work_of_annotator ON work (annotator, since);

CREATE TABLE answers (
    number {serial},
    id TEXT NOT NULL UNIQUE,
    chunk BIGINT NOT NULL REFERENCES chunks (number),
    annotator TEXT NOT NULL REFERENCES annotators (id),
    revision INTEGER NOT NULL,
    decision TEXT NOT NULL CHECK (decision IN ('accept', 'reject', 'ignore')),
    at DOUBLE PRECISION NOT NULL,
    received DOUBLE PRECISION NOT NULL,
    guidelines INTEGER NOT NULL,
    spans TEXT NOT NULL,
    comment TEXT NOT NULL,
    suggested TEXT NOT NULL,
    meta TEXT NOT NULL,
    UNIQUE (chunk, annotator, revision)
);

CREATE TABLE events (
    number {serial},
    at DOUBLE PRECISION NOT NULL,
    kind TEXT NOT NULL,
    annotator TEXT NOT NULL,
    subject TEXT NOT NULL,
    data TEXT NOT NULL
);
CREATE INDEX events_of_subject ON events (subject, kind);
