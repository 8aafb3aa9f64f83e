import{react as n}from"./more.js";function s({chat:e,toastError:t},o,a,r){e.value&&n(e.value,o,a,r).catch(t)}var l=(e,t)=>!!e?.endsAt&&Date.parse(e.endsAt)<=t;export{l as a,s as b};
