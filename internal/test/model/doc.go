// Package model holds one test: a plain model of what Parley promises, in structs and slices, beside
// the service, the feed and the store on the real engine. Both are driven through the same random
// operations, and every answer must be the same.
//
// The model is written from the promises alone. It borrows from the domain its types, the pure table of
// rights, and how much a message weighs in a page; what is new, what is a retry, what is stale, what stands
// where and under which number it works out by itself.
//
// A world has two processes, each with a service and a feed handler of its own, on one table. One clock, which is an
// operation too, is everybody's: the services', the stores', the handlers' and the stream's, whose records
// are dated anew, since the engine dates them by the real clock and a feed looks back by those dates.
// What an operation has done is taken from the stream at once and handed over when that is somebody's
// turn: in pieces, again, to another process, to both at once.
//
// A run prints its seed, and goes the same way again with it: make model SEED=… STEPS=…
//
// That the test sees what is wrong is tested as well: stores that do wrong in one way each (bugs_test.go and
// feedbugs_test.go) are all found out.
package model
