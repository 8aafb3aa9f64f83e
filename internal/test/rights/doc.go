// Package rights proves that the functions may do what they do, and no more. Tests record every
// call that a function makes, ask the policies of the synthesized template whether IAM would allow
// it, and keep the recordings in files that the stack's own tests replay.
//
// Only tests import it.
package rights
