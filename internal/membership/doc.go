// Package membership manages who is in a room, and with which role. It lists the members of a room
// and the rooms of a person.
package membership
