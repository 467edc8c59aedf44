-- A transaction is evidence for one order, in whichever role: what came back in a lock is not to be shown again as a transfer.
CREATE TABLE refund_transactions (
    transaction_hash TEXT NOT NULL PRIMARY KEY,
    order_id TEXT NOT NULL REFERENCES orders (id)
);
INSERT INTO refund_transactions (transaction_hash, order_id)
SELECT transaction_hash, MIN(order_id) FROM refund_evidence GROUP BY transaction_hash;
DROP TABLE refund_evidence;
