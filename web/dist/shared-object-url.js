import{f as r,i as n}from"./shared-preact.js";function s(e){let[u,c]=r("");return n(()=>{if(!e)return;let t=URL.createObjectURL(e);return c(t),()=>URL.revokeObjectURL(t)},[e]),u}export{s as a};
