import{e}from"./shared-page.js";import{p as r}from"./shared-preact.js";var t=1e3,s=o=>r(e().list).rooms.find(n=>n.id===o.id)?.unread??0,p=o=>o>=t?`${t-1}+`:String(o);export{s as a,p as b};
