// Package people stores the profiles of people: their names, titles and states. It finds people by
// each of these, through one overloaded index.
package people
