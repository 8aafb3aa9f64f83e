// Package model compares the real services with a plain model of what Parley promises. The model
// consists of structs and slices. The service, the feed and the store run on the real engine. The
// test applies the same random operations to both and expects the same answers.
//
// The model follows only the documented promises. It uses the domain's types, its pure table of
// rights and the size of a message in a page. It decides independently whether a message is new, a
// retry or stale, and which position and number it gets.
//
// A world has two processes that share one table. Each has its own service and feed handler. The
// services, stores, handlers and stream share one clock, and advancing it is an operation too. The
// engine dates stream records by the real clock, and a feed's look-back depends on those dates.
// The records therefore get their dates from the world's clock. The records of an operation are
// read immediately and delivered later: in parts, repeatedly, to either process or to both
// concurrently.
//
// A run prints its seed, which reproduces it: SEED=…
//
// Another test proves that this one detects faults: it catches every store that has a seeded bug
// (bugs_test.go and others).
package model
