package socketapi

import "reflect"

// Described returns the types of this package by the names of their schemas.
func Described() map[string]reflect.Type {
	return map[string]reflect.Type{
		"HelloRequest": reflect.TypeFor[subscribeRequest](), "SubscribeRequest": reflect.TypeFor[subscribeRequest](),
		"UnsubscribeRequest": reflect.TypeFor[unsubscribeRequest](), "TypingRequest": reflect.TypeFor[typingRequest](),
		"SyncRequest": reflect.TypeFor[syncRequest](), "RenewRequest": reflect.TypeFor[renewRequest](), "WantedRoom": reflect.TypeFor[wantedRoom](), "NamedRoom": reflect.TypeFor[namedRoom](), "KnownRoom": reflect.TypeFor[knownRoom](),
		"AckFrame": reflect.TypeFor[Ack](), "AckRoom": reflect.TypeFor[AckRoom](), "ProblemFrame": reflect.TypeFor[Problem](),
		"TypingFrame": reflect.TypeFor[Typing](), "PresenceFrame": reflect.TypeFor[Presence](), "RoomPresence": reflect.TypeFor[PresenceRoom](),
		"ClosingFrame": reflect.TypeFor[Closing](),
	}
}
