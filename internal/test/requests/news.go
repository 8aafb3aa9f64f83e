package requests

// News has the batches of the outbox function: each has the name of a test's expectation. The first
// is a file of events/.
var News = []Batch{
	{Name: "segment-appended", records: []record{
		{
			id: "b1", number: 101, at: 1535544540, size: 240,
			new: `{"PK":{"S":"feed#seattle"},"SK":{"S":"0000000000000000003"},"at":{"N":"1535544540300"},"changes":{"B":"AQEEYW1zZwEAAWWFjujbcACAAAAAAAAAAQ=="},"count":{"N":"0"},"expires":{"N":"1543320540"},"from":{"N":"1535544540000"},"gen":{"S":"2018-08-29T11:59:00.000"},"r":{"B":"yAHIAQ=="},"settled":{"N":"2"},"to":{"N":"1535544540000"},"type":{"S":"feed"},"v":{"N":"1"}}`,
		},
	}},
	{Name: "room-deleted", records: []record{
		{
			id: "b2", number: 102, at: 1535544540, size: 160,
			old: `{"PK":{"S":"r#portland"},"SK":{"S":"metadata"},"type":{"S":"room"},"v":{"N":"1"},"name":{"S":"Portland"},"maker":{"S":"bob"},"rev":{"N":"1"}}`,
			new: `{"PK":{"S":"r#portland"},"SK":{"S":"metadata"},"deletedAt":{"N":"1535544540000"},"deletedBy":{"S":"bob"},"rev":{"N":"2"},"type":{"S":"room"},"v":{"N":"1"}}`,
		},
	}},
	{Name: "segment-unreadable", records: []record{
		{
			id: "b3", number: 103, at: 1535544540, size: 100,
			new: `{"PK":{"S":"feed#tacoma"},"SK":{"S":"0000000000000000007"},"type":{"S":"feed"},"v":{"N":"1"},"changes":{"B":"Yw=="}}`,
		},
	}},
	{Name: "no-news", records: []record{
		{
			id: "b4", number: 104, at: 1535544540, size: 100,
			new: `{"PK":{"S":"u#bob"},"SK":{"S":"notify"},"type":{"S":"notify"},"v":{"N":"1"}}`,
		},
	}},
}
