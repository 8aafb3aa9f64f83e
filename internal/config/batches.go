package config

// StreamBatch is the number of records of the table's stream that the feed function receives in a
// batch, both deployed and on a laptop. It equals the capacity of a segment, so a busy room's
// batch becomes one item. It is also the most that one read of a stream returns.
const StreamBatch = 1000
