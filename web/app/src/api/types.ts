import type { components } from "../../../client/src/api.gen.js";

type Schemas = components["schemas"];

export type Member = Schemas["Member"];
export type Role = Member["role"];
export type MemberPage = Schemas["MemberPage"];
export type BanPage = Schemas["BanPage"];
export type RoomInfo = Schemas["Room"];
export type RoomSettings = Schemas["RoomSettings"];
export type RoomPage = Schemas["RoomPage"];
export type ListedRoom = Schemas["ListedRoom"];
export type DocumentInfo = Schemas["Document"];
export type DocumentPage = Schemas["DocumentPage"];
export type DocumentWithParts = Schemas["DocumentWithParts"];
export type Part = Schemas["Part"];
export type PartVersionPage = Schemas["PartVersionPage"];
export type MessageVersionPage = Schemas["MessageVersionPage"];
export type Report = Schemas["Report"];
export type ReportPage = Schemas["ReportPage"];
export type InvitePage = Schemas["InvitePage"];
export type CreatedInvite = Schemas["CreatedInvite"];
export type Pin = Schemas["Pin"];
export type PinPage = Schemas["PinPage"];
export type VotePage = Schemas["VotePage"];
export type SavedPage = Schemas["SavedPage"];
export type OwnThreadPage = Schemas["OwnThreadPage"];
export type MentionPage = Schemas["MentionPage"];
export type Problem = Schemas["Problem"];
