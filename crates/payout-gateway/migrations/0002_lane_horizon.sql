-- The newest ledger that was known when a lane was last given back. A node that is behind it shows a sequence number that
-- is used up; what is signed with it can never be included, and is waited for until it has run out.
ALTER TABLE lanes ADD COLUMN horizon BIGINT NOT NULL DEFAULT 0;
