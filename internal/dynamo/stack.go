package dynamo

import "runtime"

// stackOfCall is the stack that a call of the SDK takes, with its transport. The next size of a
// stack is 16 KB, of which the frames above have the rest.
const stackOfCall = 14 << 10

// growStack grows the stack of a new goroutine at once. A call of the SDK would grow it three times
// while it is deep inside, and copy its frames each time.
//
//go:noinline
func growStack() {
	var frame [stackOfCall]byte
	runtime.KeepAlive(&frame)
}
