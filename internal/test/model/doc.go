// Package model holds one test: a plain model of what Parley promises, in structs and slices,
// beside the service, the feed and the store on the real engine. Both are driven through the same
// random operations, and every answer must be the same.
//
// The model is written from the promises alone. It borrows from the domain its types, the pure
// table of rights, and the weight of a message in a page. It decides by itself which message is
// new, a retry or stale, and its place and number.
//
// A world has two processes, each with a service and a feed handler of its own, on one table. All
// share one clock, which is an operation too: the services, the stores, the handlers and the
// stream. The stream's records get its dates, since the engine dates them by the real clock and a
// feed looks back by those dates. The records of an operation are read at once and delivered later:
// in pieces, repeatedly, to another process, or to both at once.
//
// A run prints its seed, and goes the same way again with it: make model SEED=… STEPS=…
//
// Another test proves that this one sees faults: it finds each of the stores that are wrong in one
// way (bugs_test.go and feedbugs_test.go).
package model
