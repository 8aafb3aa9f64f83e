package model

import "example.com/parley/internal/dynamo"

// alteredCalls is a store with a fault in the calls that capabilities make themselves.
type alteredCalls struct {
	store
	alter func(input any) (output any)
	table *dynamo.Table
}

// withCalls returns a store whose capabilities make altered calls. alter may change the input of a
// call, or return what faults.Altered accepts.
func withCalls(s store, alter func(input any) (output any)) store {
	return &alteredCalls{store: s, alter: alter}
}

// Table implements app.Store.
func (b *alteredCalls) Table() *dynamo.Table { return b.table }
