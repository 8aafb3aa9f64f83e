function p({chat:e,toastError:t},n,a,r){let{value:o}=e;o&&import("./more.js").then(({react:s})=>s(o,n,a,r)).catch(t)}var l=(e,t)=>!!e?.endsAt&&Date.parse(e.endsAt)<=t;export{l as a,p as b};
