package config

// StreamBatch is how many records of the table's stream the feed function takes at once, deployed
// and on a laptop. It is what one segment of a feed holds: a busy room's batch becomes one item. It
// is also the most that one read of a stream gives.
const StreamBatch = 1000
