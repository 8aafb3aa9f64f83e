package httpapi

import "slices"

// Operations are the operations and documents of one function. A binary contains only the code of
// the operations that it names.
type Operations struct {
	function  Function
	list      func() []operation
	documents func() []publicDocument
}

// Writes returns the operations of the write function.
func Writes() Operations {
	return Operations{function: Write, list: writes, documents: func() []publicDocument { return nil }}
}

// Reads returns the operations and the documents of the read function.
func Reads() Operations {
	return Operations{function: Read, list: reads, documents: documents}
}

// Searches returns the operations of the search function.
func Searches() Operations {
	return Operations{function: Search, list: searches, documents: func() []publicDocument { return nil }}
}

// All returns the operations of all functions, for programs that run them together.
func All() []Operations { return []Operations{Writes(), Reads(), Searches()} }

// Function returns the function that serves the operations.
func (o Operations) Function() Function { return o.function }

// operations returns the table of the API.
func operations() []operation { return slices.Concat(writes(), reads(), searches()) }

// writes returns the operations of the write function, by the part of the API.
func writes() []operation {
	return []operation{
		putRoomOperation(), patchRoomOperation(), postRoomOperation(), deleteRoomOperation(),
		putMemberOperation(), deleteMemberOperation(), putOwnerOperation(), postInviteOperation(),
		deleteInviteOperation(), useInviteOperation(),
		postUploadOperation(), postMessageOperation(), patchMessageOperation(), deleteMessageOperation(),
		putPinOperation(),
		deletePinOperation(), putReactionOperation(), deleteReactionOperation(),
		putVoteOperation(), deleteVoteOperation(), putSavedOperation(),
		deleteSavedOperation(), postReportOperation(), patchReportOperation(),
		putThreadReadOperation(), putFollowOperation(), deleteFollowOperation(),
		putReadOperation(), putPreferencesOperation(), patchNotificationsOperation(),
		putPersonOperation(), patchPersonOperation(), postPictureOperation(), putPersonByIDOperation(),
		deletePersonOperation(), putBlockOperation(), deleteBlockOperation(),
		putSuspensionOperation(), deleteSuspensionOperation(),
		postPeopleOperation(), postRoomsOperation(), postMembershipsOperation(),
		putDocumentOperation(), patchDocumentOperation(), putPartOperation(),
		postEventsOperation(),
	}
}

// reads returns the operations of the read function, by the part of the API.
func reads() []operation {
	return []operation{
		getRoomOperation(), listRoomsOperation(),
		listMembersOperation(), getOnlineOperation(), getMemberOperation(), listBansOperation(),
		listInvitesOperation(), getInviteOperation(), listRoomsOfOperation(), listHeadsOperation(),
		listMentionsOperation(), getNotificationsOperation(),
		listMessagesOperation(), getMessageOperation(), listMessageVersionsOperation(),
		listPinsOperation(), postLinksOperation(), listFilesOperation(), listReactionsOperation(), listVotesOperation(),
		listSavedOperation(),
		listReportsOperation(),
		listOpenReportsOperation(),
		listRepliesOperation(), listThreadsOperation(), listOwnThreadsOperation(),
		listChangesOperation(),
		getPersonOperation(), listPeopleOperation(), listBlocksOperation(), getSuspensionOperation(),
		listDocumentsOperation(), getDocumentOperation(), getPartOperation(), listVersionsOperation(),
		getVersionOperation(),
		listEventsOperation(), listAuditOperation(), listPersonAuditOperation(),
	}
}

// searches returns the operations of the search function.
func searches() []operation {
	return []operation{searchMessagesOperation(), searchRoomOperation()}
}
