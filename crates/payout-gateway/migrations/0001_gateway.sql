-- One schema for SQLite and PostgreSQL: texts and 64-bit numbers alone. Times are Unix milliseconds, sums are texts,
-- because neither database counts to 128 bits.

-- What was read of a program's contract when it was first used. It does not change afterwards.
CREATE TABLE programs (
    program TEXT NOT NULL PRIMARY KEY,
    network TEXT NOT NULL,
    contract TEXT NOT NULL,
    token TEXT NOT NULL,
    decimals BIGINT NOT NULL,
    code_hash TEXT NOT NULL,
    max_batch BIGINT NOT NULL,
    pinned_at BIGINT NOT NULL,
    event_cursor TEXT,
    event_ledger BIGINT NOT NULL
);

-- A caller's key and the order under it. Rows are never deleted: a key is never forgotten.
CREATE TABLE orders (
    id TEXT NOT NULL PRIMARY KEY,
    program TEXT NOT NULL,
    caller_key TEXT NOT NULL,
    counter BIGINT NOT NULL,
    chain_key TEXT NOT NULL UNIQUE,
    fingerprint TEXT NOT NULL,
    lines TEXT NOT NULL,
    total TEXT NOT NULL,
    state TEXT NOT NULL,
    final BIGINT NOT NULL,
    reason TEXT,
    explanation TEXT,
    void_requested BIGINT NOT NULL,
    correlation TEXT NOT NULL,
    payout_id TEXT,
    paid_ledger BIGINT,
    paid_transaction TEXT,
    horizon BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    ended_at BIGINT,
    UNIQUE (program, caller_key, counter)
);
CREATE INDEX orders_by_state ON orders (state, id);
CREATE INDEX orders_by_program ON orders (program, id);

-- Everything that was signed, stored before it was sent.
CREATE TABLE envelopes (
    hash TEXT NOT NULL PRIMARY KEY,
    inner_hash TEXT NOT NULL,
    order_id TEXT NOT NULL REFERENCES orders (id),
    purpose TEXT NOT NULL,
    xdr TEXT NOT NULL,
    source TEXT NOT NULL,
    sequence BIGINT NOT NULL,
    bid BIGINT NOT NULL,
    resource_fee BIGINT NOT NULL,
    max_time BIGINT NOT NULL,
    max_ledger BIGINT NOT NULL,
    authorised_until BIGINT,
    signed_at BIGINT NOT NULL
);
CREATE INDEX envelopes_by_order ON envelopes (order_id, signed_at);

-- The outbox: what is to be done, and who is at it.
CREATE TABLE jobs (
    id TEXT NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL,
    order_id TEXT NOT NULL REFERENCES orders (id),
    due_at BIGINT NOT NULL,
    lease_owner TEXT,
    lease_until BIGINT NOT NULL,
    tries BIGINT NOT NULL
);
CREATE INDEX jobs_by_due ON jobs (due_at);

-- Channel accounts, and which job has which.
CREATE TABLE lanes (
    account TEXT NOT NULL PRIMARY KEY,
    holder TEXT
);

-- Voids, refunds, retries and reconciliations, each under a key of its own.
CREATE TABLE operations (
    id TEXT NOT NULL PRIMARY KEY,
    program TEXT NOT NULL,
    operation_key TEXT NOT NULL,
    kind TEXT NOT NULL,
    order_id TEXT,
    fingerprint TEXT NOT NULL,
    request TEXT NOT NULL,
    state TEXT NOT NULL,
    result TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (program, operation_key)
);
CREATE INDEX operations_by_order ON operations (order_id);

-- A transaction is evidence for one refund only.
CREATE TABLE refund_evidence (
    transaction_hash TEXT NOT NULL,
    role TEXT NOT NULL,
    order_id TEXT NOT NULL REFERENCES orders (id),
    PRIMARY KEY (transaction_hash, role)
);

-- Every attempt and transition. Position and hash are filled in by the sealer, after the commit.
CREATE TABLE audit (
    id TEXT NOT NULL PRIMARY KEY,
    recorded_at BIGINT NOT NULL,
    kind TEXT NOT NULL,
    actor TEXT NOT NULL,
    program TEXT NOT NULL,
    order_id TEXT,
    idempotency_key TEXT,
    counter BIGINT,
    from_state TEXT,
    to_state TEXT,
    correlation TEXT,
    detail TEXT NOT NULL,
    position BIGINT UNIQUE,
    hash TEXT
);
CREATE INDEX audit_by_order ON audit (order_id, recorded_at);
CREATE INDEX audit_by_key ON audit (program, idempotency_key, recorded_at);
CREATE INDEX audit_by_time ON audit (recorded_at);
CREATE INDEX audit_unsealed ON audit (id) WHERE position IS NULL;

-- The chain's end, and where it begins since the rows before were archived.
CREATE TABLE audit_head (
    id BIGINT NOT NULL PRIMARY KEY,
    position BIGINT NOT NULL,
    hash TEXT NOT NULL,
    archived_position BIGINT NOT NULL,
    archived_hash TEXT NOT NULL
);
INSERT INTO audit_head (id, position, hash, archived_position, archived_hash)
VALUES (1, 0, '', 0, '');

CREATE TABLE bearer_keys (
    id TEXT NOT NULL PRIMARY KEY,
    program TEXT NOT NULL,
    name TEXT NOT NULL,
    token_hash TEXT NOT NULL UNIQUE,
    scopes TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    revoked_at BIGINT
);

CREATE TABLE sessions (
    token_hash TEXT NOT NULL PRIMARY KEY,
    bearer_key TEXT NOT NULL REFERENCES bearer_keys (id),
    expires_at BIGINT NOT NULL
);

-- The contract's events of payouts and voids.
CREATE TABLE chain_events (
    program TEXT NOT NULL,
    event_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    chain_key TEXT NOT NULL,
    ledger BIGINT NOT NULL,
    transaction_hash TEXT NOT NULL,
    total TEXT,
    PRIMARY KEY (program, event_id)
);
CREATE INDEX chain_events_by_key ON chain_events (chain_key);

-- What reconciliation found to differ.
CREATE TABLE findings (
    id TEXT NOT NULL PRIMARY KEY,
    program TEXT NOT NULL,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    detail TEXT NOT NULL,
    first_seen BIGINT NOT NULL,
    last_seen BIGINT NOT NULL,
    resolved_at BIGINT,
    UNIQUE (program, kind, subject)
);

-- Duties that one process at a time has.
CREATE TABLE duties (
    name TEXT NOT NULL PRIMARY KEY,
    owner TEXT NOT NULL,
    lease_until BIGINT NOT NULL
);
