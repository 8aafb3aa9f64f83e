// Package rights checks that each function has the permissions that it needs, and no others. Tests
// record every call that a function makes, and evaluate the synthesized template's policies for it.
// The recordings are files, which the tests of the stack replay.
//
// Only tests import it.
package rights
