//go:build race

package socket_test

// sockets is how many the test of memory opens. The race detector makes each of them slow.
const sockets = 100
