// Package account holds what the operator knows about a person besides their profile: whether they
// are suspended. Each person has one account, which is a small item and is read with every write.
package account
