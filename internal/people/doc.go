// Package people keeps what people tell of themselves: their names, titles and states. It finds people by
// each of these, through one overloaded index.
package people
