// Package sizes sends every operation its largest request, to a table whose items are as large as
// they may be. It measures the bytes of the request and of the answer, and the memory that the
// answer needs.
//
// That takes minutes, so make worst runs it. make test only checks that no operation is missing.
package sizes
