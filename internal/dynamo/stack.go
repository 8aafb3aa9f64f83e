package dynamo

import "runtime"

// stackOfCall is the stack size that an SDK call needs, including its transport. The next stack
// size is 16 KB; the callers' frames use the rest.
const stackOfCall = 14 << 10

// growStack grows the stack of a new goroutine in one step. An SDK call would grow it three times
// while deep inside, and copy its frames each time.
//
//go:noinline
func growStack() {
	var frame [stackOfCall]byte
	runtime.KeepAlive(&frame)
}
