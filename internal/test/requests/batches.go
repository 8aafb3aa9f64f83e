package requests

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Batches are batches of the table's stream, in order of their names. Their items were written by
// hand: code under test does not make its own input.
var Batches = []Batch{
	{Name: "batch-of-rooms", records: []record{
		{
			id: "b", number: 11, at: 1535544540, size: 421,
			new: `{"PK":{"S":"r#portland"},"SK":{"S":"metadata"},"GSI1PK":{"S":"rooms"},"GSI1SK":{"S":"USA#WA#Portland#portland"},"type":{"S":"room"},"v":{"N":"1"},"name":{"S":"Portland"},"topic":{"S":"rain and coffee"},"maker":{"S":"bob"},"madeAt":{"N":"1535544000123"},"rev":{"N":"0"},"n":{"N":"1"},"place":{"S":"USA#WA#Portland"},"digestKey":{"B":"dGhpcnR5LXR3byBieXRlcyB0aGF0IGFyZSByYW5kb20="}}`,
		},
		{
			id: "c", number: 12, at: 1535544600, size: 338,
			new: `{"PK":{"S":"seattle-1"},"SK":{"S":"amsg#2018-08-29:12:10:00.123#01658597-263b-7000-8000-00000000000a"},"GSI1PK":{"S":"seattle-1"},"GSI1SK":{"S":"2018-08-29:12:10:00.200#amsg#01658597-263b-7000-8000-00000000000a"},"type":{"S":"message"},"v":{"N":"1"},"text":{"S":"anyone?"},"digest":{"B":"c2l4dGVlbiBieXRlcy4uLg=="}}`,
		},
		{
			id: "d", number: 13, at: 1535544600, size: 260,
			new: `{"PK":{"S":"u#bob"},"SK":{"S":"member#portland"},"type":{"S":"member"},"v":{"N":"1"},"role":{"S":"owner"},"name":{"S":"Bob"},"since":{"N":"1535544540123"},"left":{"BOOL":false},"GSI1PK":{"S":"member#portland"},"GSI1SK":{"S":"Bob"}}`,
		},
		{
			id: "e", number: 14, at: 1535544660, size: 335,
			new: `{"PK":{"S":"portland-1"},"SK":{"S":"bob#2018-08-29:12:11:00.123#01658598-109b-7000-8000-00000000000b"},"GSI1PK":{"S":"portland-1"},"GSI1SK":{"S":"2018-08-29:12:11:00.200#bob#01658598-109b-7000-8000-00000000000b"},"type":{"S":"message"},"v":{"N":"1"},"text":{"S":"here"},"digest":{"B":"c2l4dGVlbiBieXRlcy4uLg=="}}`,
		},
		{
			id: "f", number: 15, at: 1535544720, size: 335,
			new: `{"PK":{"S":"seattle-1"},"SK":{"S":"carol#2018-08-29:12:12:00.123#01658598-fafb-7000-8000-00000000000c"},"GSI1PK":{"S":"seattle-1"},"GSI1SK":{"S":"2018-08-29:12:12:00.200#carol#01658598-fafb-7000-8000-00000000000c"},"type":{"S":"message"},"v":{"N":"1"},"text":{"S":"me"},"digest":{"B":"c2l4dGVlbiBieXRlcy4uLg=="}}`,
		},
	}},
	{Name: "counts-changed", records: []record{
		{
			id: "18", number: 32, at: 1535545000, size: 411,
			old: `{"PK":{"S":"seattle-1"},"SK":{"S":"amsg#2018-08-29:12:01:00.123#0165858e-e8db-7000-8000-000000000001"},"GSI1PK":{"S":"seattle-1"},"GSI1SK":{"S":"2018-08-29:12:01:00.200#amsg#0165858e-e8db-7000-8000-000000000001"},"type":{"S":"message"},"v":{"N":"1"},"text":{"S":"hello"},"digest":{"B":"c2l4dGVlbiBieXRlcy4uLg=="},"rev":{"N":"2"},"editedAt":{"N":"1535544120123"},"kept":{"N":"9"}}`,
			new: `{"PK":{"S":"seattle-1"},"SK":{"S":"amsg#2018-08-29:12:01:00.123#0165858e-e8db-7000-8000-000000000001"},"GSI1PK":{"S":"seattle-1"},"GSI1SK":{"S":"2018-08-29:12:01:00.200#amsg#0165858e-e8db-7000-8000-000000000001"},"type":{"S":"message"},"v":{"N":"1"},"text":{"S":"hello"},"digest":{"B":"c2l4dGVlbiBieXRlcy4uLg=="},"rev":{"N":"2"},"editedAt":{"N":"1535544120123"},"kept":{"N":"9"},"tv":{"N":"1"},"tally":{"B":"AQEHAQTwn5GNAg=="}}`,
		},
	}},
	{Name: "duplicate", records: []record{
		{
			id: "3", number: 3, at: 1535544060, size: 335,
			new: `{"PK":{"S":"seattle-1"},"SK":{"S":"amsg#2018-08-29:12:01:00.123#0165858e-e8db-7000-8000-000000000001"},"GSI1PK":{"S":"seattle-1"},"GSI1SK":{"S":"2018-08-29:12:01:00.200#amsg#0165858e-e8db-7000-8000-000000000001"},"type":{"S":"message"},"v":{"N":"1"},"text":{"S":"helo"},"digest":{"B":"c2l4dGVlbiBieXRlcy4uLg=="}}`,
		},
		{
			id: "3", number: 3, at: 1535544060, size: 335,
			new: `{"PK":{"S":"seattle-1"},"SK":{"S":"amsg#2018-08-29:12:01:00.123#0165858e-e8db-7000-8000-000000000001"},"GSI1PK":{"S":"seattle-1"},"GSI1SK":{"S":"2018-08-29:12:01:00.200#amsg#0165858e-e8db-7000-8000-000000000001"},"type":{"S":"message"},"v":{"N":"1"},"text":{"S":"helo"},"digest":{"B":"c2l4dGVlbiBieXRlcy4uLg=="}}`,
		},
	}},
	{Name: "file-deleted", records: []record{
		{
			id: "41", number: 41, at: 1535545180, size: 470,
			old: `{"PK":{"S":"seattle-1"},"SK":{"S":"bob#2018-08-29:12:16:00.123#0165859c-a47b-7000-8000-000000000010"},"GSI1PK":{"S":"seattle-1"},"GSI1SK":{"S":"2018-08-29:12:16:00.200#bob#0165859c-a47b-7000-8000-000000000010"},"type":{"S":"message"},"v":{"N":"1"},"text":{"S":"the plan"},"digest":{"B":"c2l4dGVlbiBieXRlcy4uLg=="},"files":{"S":"[{\"i\":\"0165859c-a47b-7000-8000-0000000000f1\",\"n\":\"plan.png\",\"t\":\"image/png\",\"b\":70}]"}}`,
			new: `{"PK":{"S":"seattle-1"},"SK":{"S":"bob#2018-08-29:12:16:00.123#0165859c-a47b-7000-8000-000000000010"},"GSI1PK":{"S":"seattle-1"},"GSI1SK":{"S":"2018-08-29:12:16:00.200#bob#0165859c-a47b-7000-8000-000000000010"},"type":{"S":"message"},"v":{"N":"1"},"digest":{"B":"c2l4dGVlbiBieXRlcy4uLg=="},"files":{"S":"[{\"i\":\"0165859c-a47b-7000-8000-0000000000f1\"}]"},"rev":{"N":"2"},"deletedAt":{"N":"1535545180123"},"deletedBy":{"S":"bob"}}`,
		},
	}},
	{Name: "file-posted", records: []record{
		{
			id: "40", number: 40, at: 1535545100, size: 440,
			new: `{"PK":{"S":"seattle-1"},"SK":{"S":"bob#2018-08-29:12:16:00.123#0165859c-a47b-7000-8000-000000000010"},"GSI1PK":{"S":"seattle-1"},"GSI1SK":{"S":"2018-08-29:12:16:00.200#bob#0165859c-a47b-7000-8000-000000000010"},"type":{"S":"message"},"v":{"N":"1"},"text":{"S":"the plan"},"digest":{"B":"c2l4dGVlbiBieXRlcy4uLg=="},"files":{"S":"[{\"i\":\"0165859c-a47b-7000-8000-0000000000f1\",\"n\":\"plan.png\",\"t\":\"image/png\",\"b\":70}]"}}`,
		},
	}},
	{Name: "irrelevant", records: []record{
		{
			id: "13", number: 19, at: 1535544900, size: 308,
			new: `{"PK":{"S":"feed#seattle"},"SK":{"S":"0000000000000000001"},"type":{"S":"feed"},"v":{"N":"1"},"gen":{"S":"2018-08-29T11:59:00.000"},"count":{"N":"0"},"at":{"N":"1535544060123"},"settled":{"N":"0"},"from":{"N":"1535544000123"},"to":{"N":"1535544000123"},"changes":{"B":"AA=="}}`,
		},
		{
			id: "15", number: 21, at: 1535544900, size: 156,
			old: `{"PK":{"S":"r#seattle"},"SK":{"S":"shards"},"type":{"S":"shards"},"v":{"N":"1"},"epochs":{"L":[{"M":{"from":{"N":"0"},"n":{"N":"1"}}}]}}`,
			new: `{"PK":{"S":"r#seattle"},"SK":{"S":"shards"},"type":{"S":"shards"},"v":{"N":"1"},"epochs":{"L":[{"M":{"from":{"N":"0"},"n":{"N":"1"}}}]}}`,
		},
	}},
	{Name: "member-changed", records: []record{
		{
			id: "7", number: 7, at: 1535544300, size: 258,
			old: `{"PK":{"S":"u#bob"},"SK":{"S":"member#seattle"},"type":{"S":"member"},"v":{"N":"1"},"role":{"S":"member"},"name":{"S":"Bob"},"since":{"N":"1535544240123"},"left":{"BOOL":false},"GSI1PK":{"S":"member#seattle"},"GSI1SK":{"S":"Bob"}}`,
			new: `{"PK":{"S":"u#bob"},"SK":{"S":"member#seattle"},"type":{"S":"member"},"v":{"N":"1"},"role":{"S":"muted"},"name":{"S":"Bob"},"since":{"N":"1535544240123"},"left":{"BOOL":false},"GSI1PK":{"S":"member#seattle"},"GSI1SK":{"S":"Bob"}}`,
		},
	}},
	{Name: "member-joined", records: []record{
		{
			id: "6", number: 6, at: 1535544240, size: 259,
			new: `{"PK":{"S":"u#bob"},"SK":{"S":"member#seattle"},"type":{"S":"member"},"v":{"N":"1"},"role":{"S":"member"},"name":{"S":"Bob"},"since":{"N":"1535544240123"},"left":{"BOOL":false},"GSI1PK":{"S":"member#seattle"},"GSI1SK":{"S":"Bob"}}`,
		},
	}},
	{Name: "member-left", records: []record{
		{
			id: "8", number: 8, at: 1535544360, size: 198,
			old: `{"PK":{"S":"u#bob"},"SK":{"S":"member#seattle"},"type":{"S":"member"},"v":{"N":"1"},"role":{"S":"muted"},"name":{"S":"Bob"},"since":{"N":"1535544240123"},"left":{"BOOL":false},"GSI1PK":{"S":"member#seattle"},"GSI1SK":{"S":"Bob"}}`,
			new: `{"PK":{"S":"u#bob"},"SK":{"S":"member#seattle"},"type":{"S":"member"},"v":{"N":"1"},"role":{"S":"muted"},"name":{"S":"Bob"},"since":{"N":"1535544360123"},"left":{"BOOL":true}}`,
		},
	}},
	{Name: "member-removed", records: []record{
		{
			id: "9", number: 9, at: 1535544420, size: 265,
			old: `{"PK":{"S":"u#carol"},"SK":{"S":"member#seattle"},"type":{"S":"member"},"v":{"N":"1"},"role":{"S":"member"},"name":{"S":"Carol"},"since":{"N":"1535544000123"},"left":{"BOOL":false},"GSI1PK":{"S":"member#seattle"},"GSI1SK":{"S":"Carol"}}`,
		},
	}},
	{Name: "message-created", records: []record{
		{
			id: "3", number: 3, at: 1535544060, size: 335,
			new: `{"PK":{"S":"seattle-1"},"SK":{"S":"amsg#2018-08-29:12:01:00.123#0165858e-e8db-7000-8000-000000000001"},"GSI1PK":{"S":"seattle-1"},"GSI1SK":{"S":"2018-08-29:12:01:00.200#amsg#0165858e-e8db-7000-8000-000000000001"},"type":{"S":"message"},"v":{"N":"1"},"text":{"S":"helo"},"digest":{"B":"c2l4dGVlbiBieXRlcy4uLg=="},"mentions":{"SS":["bob"]},"mentionRoom":{"BOOL":true}}`,
		},
	}},
	{Name: "message-deleted", records: []record{
		{
			id: "5", number: 5, at: 1535544180, size: 432,
			old: `{"PK":{"S":"seattle-1"},"SK":{"S":"amsg#2018-08-29:12:01:00.123#0165858e-e8db-7000-8000-000000000001"},"GSI1PK":{"S":"seattle-1"},"GSI1SK":{"S":"2018-08-29:12:01:00.200#amsg#0165858e-e8db-7000-8000-000000000001"},"type":{"S":"message"},"v":{"N":"1"},"text":{"S":"hello"},"digest":{"B":"c2l4dGVlbiBieXRlcy4uLg=="},"rev":{"N":"2"},"editedAt":{"N":"1535544120123"},"kept":{"N":"9"},"mentions":{"SS":["bob"]},"mentionRoom":{"BOOL":true}}`,
			new: `{"PK":{"S":"seattle-1"},"SK":{"S":"amsg#2018-08-29:12:01:00.123#0165858e-e8db-7000-8000-000000000001"},"GSI1PK":{"S":"seattle-1"},"GSI1SK":{"S":"2018-08-29:12:01:00.200#amsg#0165858e-e8db-7000-8000-000000000001"},"type":{"S":"message"},"v":{"N":"1"},"digest":{"B":"c2l4dGVlbiBieXRlcy4uLg=="},"rev":{"N":"3"},"editedAt":{"N":"1535544120123"},"deletedAt":{"N":"1535544180123"},"deletedBy":{"S":"amsg"}}`,
		},
	}},
	{Name: "message-edited", records: []record{
		{
			id: "4", number: 4, at: 1535544120, size: 411,
			old: `{"PK":{"S":"seattle-1"},"SK":{"S":"amsg#2018-08-29:12:01:00.123#0165858e-e8db-7000-8000-000000000001"},"GSI1PK":{"S":"seattle-1"},"GSI1SK":{"S":"2018-08-29:12:01:00.200#amsg#0165858e-e8db-7000-8000-000000000001"},"type":{"S":"message"},"v":{"N":"1"},"text":{"S":"helo"},"digest":{"B":"c2l4dGVlbiBieXRlcy4uLg=="},"mentions":{"SS":["bob"]},"mentionRoom":{"BOOL":true}}`,
			new: `{"PK":{"S":"seattle-1"},"SK":{"S":"amsg#2018-08-29:12:01:00.123#0165858e-e8db-7000-8000-000000000001"},"GSI1PK":{"S":"seattle-1"},"GSI1SK":{"S":"2018-08-29:12:01:00.200#amsg#0165858e-e8db-7000-8000-000000000001"},"type":{"S":"message"},"v":{"N":"1"},"text":{"S":"hello"},"digest":{"B":"c2l4dGVlbiBieXRlcy4uLg=="},"rev":{"N":"2"},"editedAt":{"N":"1535544120123"},"kept":{"N":"9"},"mentions":{"SS":["bob"]},"mentionRoom":{"BOOL":true}}`,
		},
	}},
	{Name: "message-pinned", records: []record{
		{
			id: "23", number: 23, at: 1535544960, size: 300,
			new: `{"PK":{"S":"p#seattle"},"SK":{"S":"pins"},"type":{"S":"pins"},"v":{"N":"1"},"feed":{"S":"seattle"},"rev":{"N":"1"},"pins":{"N":"1"},"changed":{"S":"0165858e-e8db-7000-8000-000000000001~amsg"},"pinned":{"S":"yes"},"pin#0165858e-e8db-7000-8000-000000000001~amsg":{"S":"1535544960000#bob"}}`,
		},
	}},
	{Name: "person-deleted", records: []record{
		{
			id: "1b", number: 27, at: 1535544900, size: 171,
			old: `{"PK":{"S":"u#bob"},"SK":{"S":"account"},"type":{"S":"account"},"v":{"N":"1"},"suspendedAt":{"N":"1535544900000"},"suspendedBy":{"S":"help-desk"},"suspendReason":{"S":"deleted"}}`,
			new: `{"PK":{"S":"u#bob"},"SK":{"S":"account"},"type":{"S":"account"},"v":{"N":"1"},"suspendedAt":{"N":"1535544900000"},"suspendedBy":{"S":"help-desk"},"suspendReason":{"S":"deleted"},"erasedAt":{"N":"1535544900000"},"erasedBy":{"S":"help-desk"},"eraseStep":{"N":"1"}}`,
		},
	}},
	{Name: "person-suspended", records: []record{
		{
			id: "1a", number: 26, at: 1535544900, size: 131,
			new: `{"PK":{"S":"u#bob"},"SK":{"S":"account"},"type":{"S":"account"},"v":{"N":"1"},"suspendedAt":{"N":"1535544900000"},"suspendedBy":{"S":"help-desk"},"suspendReason":{"S":"spam"}}`,
		},
	}},
	{Name: "personal", records: []record{
		{
			id: "14", number: 20, at: 1535544900, size: 131,
			new: `{"PK":{"S":"u#bob"},"SK":{"S":"read#seattle"},"type":{"S":"read"},"v":{"N":"1"},"seq":{"N":"3"},"count":{"N":"1"}}`,
		},
		{
			id: "10", number: 21, at: 1535544900, size: 131,
			new: `{"PK":{"S":"u#bob"},"SK":{"S":"blocks"},"type":{"S":"blocks"},"v":{"N":"1"},"users":{"SS":["carol"]}}`,
		},
	}},
	{Name: "poison", records: []record{
		{
			id: "10", number: 16, at: 1535544780, size: 337,
			new: `{"PK":{"S":"portland-1"},"SK":{"S":"bob#2018-08-29:12:13:00.123#01658599-e55b-7000-8000-00000000000d"},"GSI1PK":{"S":"portland-1"},"GSI1SK":{"S":"2018-08-29:12:13:00.200#bob#01658599-e55b-7000-8000-00000000000d"},"type":{"S":"message"},"v":{"N":"1"},"text":{"S":"before"},"digest":{"B":"c2l4dGVlbiBieXRlcy4uLg=="}}`,
		},
		{
			id: "11", number: 17, at: 1535544780, size: 297,
			new: `{"PK":{"S":"seattle-1"},"SK":{"S":"amsg#yesterday#1"},"GSI1PK":{"S":"seattle-1"},"GSI1SK":{"S":"2018-08-29:12:13:00.200#amsg#01658599-e55b-7000-8000-00000000000d"},"type":{"S":"message"},"v":{"N":"1"},"text":{"S":"who wrote this?"},"digest":{"B":"c2l4dGVlbiBieXRlcy4uLg=="}}`,
		},
		{
			id: "12", number: 18, at: 1535544840, size: 336,
			new: `{"PK":{"S":"seattle-1"},"SK":{"S":"amsg#2018-08-29:12:14:00.123#0165859a-cfbb-7000-8000-00000000000e"},"GSI1PK":{"S":"seattle-1"},"GSI1SK":{"S":"2018-08-29:12:14:00.200#amsg#0165859a-cfbb-7000-8000-00000000000e"},"type":{"S":"message"},"v":{"N":"1"},"text":{"S":"after"},"digest":{"B":"c2l4dGVlbiBieXRlcy4uLg=="}}`,
		},
	}},
	{Name: "reaction", records: []record{
		{
			id: "33", number: 33, at: 1535545004, size: 411,
			new: `{"PK":{"S":"m#seattle#0165858e-e8db-7000-8000-000000000001~amsg"},"SK":{"S":"react#👍#bob"},"GSI1PK":{"S":"react#bob"},"GSI1SK":{"S":"seattle#2018-08-29:12:01:00.200#0165858e-e8db-7000-8000-000000000001~amsg#👍"},"type":{"S":"reaction"},"v":{"N":"1"}}`,
		},
		{
			id: "34", number: 34, at: 1535545005, size: 411,
			old: `{"PK":{"S":"m#seattle#0165858e-e8db-7000-8000-000000000001~amsg"},"SK":{"S":"react#👍#bob"},"GSI1PK":{"S":"react#bob"},"GSI1SK":{"S":"seattle#2018-08-29:12:01:00.200#0165858e-e8db-7000-8000-000000000001~amsg#👍"},"type":{"S":"reaction"},"v":{"N":"1"}}`,
		},
	}},
	{Name: "reply-created", records: []record{
		{
			id: "22", number: 22, at: 1535544900, size: 447,
			new: `{"PK":{"S":"seattle-1"},"SK":{"S":"amsg#2018-08-29:12:15:00.123#0165859b-ba1b-7000-8000-00000000000f"},"GSI1PK":{"S":"t#seattle#0165858e-e8db-7000-8000-000000000001~amsg"},"GSI1SK":{"S":"2018-08-29:12:15:00.200#amsg#0165859b-ba1b-7000-8000-00000000000f"},"type":{"S":"message"},"v":{"N":"1"},"text":{"S":"helo"},"digest":{"B":"c2l4dGVlbiBieXRlcy4uLg=="},"thread":{"S":"0165858e-e8db-7000-8000-000000000001~amsg"}}`,
		},
	}},
	{Name: "room-changed", records: []record{
		{
			id: "a", number: 10, at: 1535544480, size: 405,
			old: `{"PK":{"S":"r#seattle"},"SK":{"S":"metadata"},"GSI1PK":{"S":"rooms"},"GSI1SK":{"S":"USA#WA#Seattle#seattle"},"type":{"S":"room"},"v":{"N":"1"},"name":{"S":"Seattle"},"topic":{"S":"rain and coffee"},"maker":{"S":"amsg"},"madeAt":{"N":"1535544000123"},"rev":{"N":"0"},"n":{"N":"1"},"place":{"S":"USA#WA#Seattle"},"digestKey":{"B":"dGhpcnR5LXR3byBieXRlcyB0aGF0IGFyZSByYW5kb20="}}`,
			new: `{"PK":{"S":"r#seattle"},"SK":{"S":"metadata"},"GSI1PK":{"S":"rooms"},"GSI1SK":{"S":"USA#WA#Seattle#seattle"},"type":{"S":"room"},"v":{"N":"1"},"name":{"S":"Seattle"},"topic":{"S":"sun"},"maker":{"S":"amsg"},"madeAt":{"N":"1535544000123"},"rev":{"N":"1"},"n":{"N":"1"},"place":{"S":"USA#WA#Seattle"},"digestKey":{"B":"dGhpcnR5LXR3byBieXRlcyB0aGF0IGFyZSByYW5kb20="}}`,
		},
	}},
	{Name: "room-made", records: []record{
		{
			id: "1", number: 1, at: 1535544000, size: 417,
			new: `{"PK":{"S":"r#seattle"},"SK":{"S":"metadata"},"GSI1PK":{"S":"rooms"},"GSI1SK":{"S":"USA#WA#Seattle#seattle"},"type":{"S":"room"},"v":{"N":"1"},"name":{"S":"Seattle"},"topic":{"S":"rain and coffee"},"maker":{"S":"amsg"},"madeAt":{"N":"1535544000123"},"rev":{"N":"0"},"n":{"N":"1"},"place":{"S":"USA#WA#Seattle"},"digestKey":{"B":"dGhpcnR5LXR3byBieXRlcyB0aGF0IGFyZSByYW5kb20="}}`,
		},
		{
			id: "2", number: 2, at: 1535544000, size: 261,
			new: `{"PK":{"S":"u#amsg"},"SK":{"S":"member#seattle"},"type":{"S":"member"},"v":{"N":"1"},"role":{"S":"owner"},"name":{"S":"amsg"},"since":{"N":"1535544000123"},"left":{"BOOL":false},"GSI1PK":{"S":"member#seattle"},"GSI1SK":{"S":"amsg"}}`,
		},
	}},
	{Name: "upload-expired", records: []record{
		{
			id: "43", number: 43, at: 1535545200, size: 320,
			old: `{"PK":{"S":"p#seattle"},"SK":{"S":"upload#0165859c-a47b-7000-8000-0000000000f2~bob"},"type":{"S":"upload"},"v":{"N":"1"},"name":{"S":"kept.png"},"media":{"S":"image/png"},"bytes":{"N":"70"},"sum":{"B":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="},"message":{"S":"0165859c-a47b-7000-8000-000000000011~bob"},"expires":{"N":"1535545191"}}`,
		},
	}},
	{Name: "upload-removed", records: []record{
		{
			id: "42", number: 42, at: 1535545190, size: 300,
			old: `{"PK":{"S":"p#seattle"},"SK":{"S":"upload#0165859c-a47b-7000-8000-0000000000f1~bob"},"type":{"S":"upload"},"v":{"N":"1"},"name":{"S":"plan.png"},"media":{"S":"image/png"},"bytes":{"N":"70"},"sum":{"B":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="},"message":{"S":"0165859c-a47b-7000-8000-000000000010~bob"}}`,
		},
		{ // its links ended long ago
			id: "43", number: 43, at: 1535545190, size: 300,
			old: `{"PK":{"S":"p#seattle"},"SK":{"S":"upload#0165859c-a47b-7000-8000-0000000000f3~bob"},"type":{"S":"upload"},"v":{"N":"1"},"name":{"S":"old.png"},"media":{"S":"image/png"},"bytes":{"N":"70"},"sum":{"B":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="},"linksUntil":{"N":"1535372390"}}`,
		},
	}},
}

// Batch is a batch of records.
type Batch struct {
	Name    string
	records []record
}

// record is a change of an item, whose images are in the JSON of DynamoDB. An image that is "" is
// absent.
type record struct {
	id     string // hexadecimal, without leading zeros
	number int    // the last digits of the sequence number
	at     int64  // Unix seconds
	size   int    // bytes, as the stream counts them
	old    string
	new    string
}

// The fields are in the order of AWS's documents.
type streamRecord struct {
	EventID        string `json:"eventID"`
	EventName      string `json:"eventName"`
	EventVersion   string `json:"eventVersion"`
	EventSource    string `json:"eventSource"`
	Region         string `json:"awsRegion"`
	Change         change `json:"dynamodb"`
	EventSourceARN string `json:"eventSourceARN"`
}

type change struct {
	At       int64                      `json:"ApproximateCreationDateTime"`
	Keys     map[string]json.RawMessage `json:"Keys"`
	New      json.RawMessage            `json:"NewImage,omitempty"`
	Old      json.RawMessage            `json:"OldImage,omitempty"`
	Number   string                     `json:"SequenceNumber"`
	Size     int                        `json:"SizeBytes"`
	ViewType string                     `json:"StreamViewType"`
}

// BatchOf returns the event of the batch with a name.
func BatchOf(name string) string {
	i := slices.IndexFunc(Batches, func(b Batch) bool { return b.Name == name })
	if i < 0 {
		panic("no batch " + name)
	}
	return Batches[i].Event()
}

// Event returns the event with which Lambda invokes the feed function, as indented JSON.
func (b Batch) Event() string {
	var event struct{ Records []streamRecord }
	for _, r := range b.records {
		event.Records = append(event.Records, r.event())
	}
	return indented(event)
}

func (r record) event() streamRecord {
	name, image := "MODIFY", r.new
	switch "" {
	case r.old:
		name = "INSERT"
	case r.new:
		name, image = "REMOVE", r.old
	}
	var item map[string]json.RawMessage
	if err := json.Unmarshal([]byte(image), &item); err != nil {
		panic(err) // the images are constant
	}
	return streamRecord{
		EventID: fmt.Sprintf("%032s", r.id), EventName: name, EventVersion: "1.1", EventSource: "aws:dynamodb", Region: "us-east-1",
		EventSourceARN: "arn:aws:dynamodb:us-east-1:000000000000:table/parley/stream/2018-08-29T11:59:00.000",
		Change: change{
			At: r.at, Keys: map[string]json.RawMessage{"PK": item["PK"], "SK": item["SK"]}, New: json.RawMessage(r.new), Old: json.RawMessage(r.old),
			Number: fmt.Sprintf("400000000000000000%03d", r.number), Size: r.size, ViewType: "NEW_AND_OLD_IMAGES",
		},
	}
}
