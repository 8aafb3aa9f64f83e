//go:build !race

package socket_test

const sockets = 1000
