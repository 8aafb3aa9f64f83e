import{a,b,c,d}from"./shared-invitation.js";import"./shared-forms.js";export{d as copyInvitation,c as linkOf,a as usualLife,b as usualUses};
