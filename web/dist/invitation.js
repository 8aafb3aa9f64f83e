import{a as s,b as i,c as o,d as t}from"./shared-invitation.js";import"./shared-forms.js";export{t as copyInvitation,o as linkOf,s as usualLife,i as usualUses};
