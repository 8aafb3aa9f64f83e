package httpapi

import "slices"

// operations returns the table of the API.
func operations() []operation {
	return slices.Concat(roomOperations(), memberOperations(), messageOperations(), threadOperations(), feedOperations(), peopleOperations(),
		documentOperations(), activityOperations())
}

func roomOperations() []operation {
	return []operation{
		putRoomOperation(),
		postRoomOperation(),
		getRoomOperation(),
		deleteRoomOperation(),
		listRoomsOperation(),
	}
}

func memberOperations() []operation {
	return []operation{
		putMemberOperation(),
		deleteMemberOperation(),
		listMembersOperation(),
		getOnlineOperation(),
		getMemberOperation(),
		listBansOperation(),
		putOwnerOperation(),
		postInviteOperation(),
		listInvitesOperation(),
		deleteInviteOperation(),
		useInviteOperation(),
		listRoomsOfOperation(), listMentionsOperation(),
	}
}

func messageOperations() []operation {
	return []operation{
		postMessageOperation(),
		listMessagesOperation(),
		getMessageOperation(),
		patchMessageOperation(),
		deleteMessageOperation(),
		listMessageVersionsOperation(),
		putPinOperation(),
		deletePinOperation(),
		listPinsOperation(),
		putReactionOperation(),
		deleteReactionOperation(),
		listReactionsOperation(),
		putSavedOperation(),
		deleteSavedOperation(),
		listSavedOperation(),
		postReportOperation(),
		putReportOperation(),
		listReportsOperation(),
		listOpenReportsOperation(),
	}
}

func threadOperations() []operation {
	return []operation{
		listRepliesOperation(),
		listThreadsOperation(),
		listOwnThreadsOperation(),
		putThreadReadOperation(),
		putFollowOperation(),
		deleteFollowOperation(),
	}
}

func feedOperations() []operation {
	return []operation{
		listChangesOperation(),
		putReadOperation(),
	}
}

func peopleOperations() []operation {
	return []operation{
		putPersonOperation(),
		getPersonOperation(),
		listPeopleOperation(),
		putBlockOperation(),
		deleteBlockOperation(),
		listBlocksOperation(),
		putSuspensionOperation(),
		getSuspensionOperation(),
		deleteSuspensionOperation(),
	}
}

func documentOperations() []operation {
	return []operation{
		putDocumentOperation(),
		listDocumentsOperation(),
		getDocumentOperation(),
		putPartOperation(),
		getPartOperation(),
		listVersionsOperation(),
		getVersionOperation(),
	}
}

func activityOperations() []operation {
	return []operation{
		postEventsOperation(),
		listEventsOperation(),
		listAuditOperation(),
		listPersonAuditOperation(),
	}
}
