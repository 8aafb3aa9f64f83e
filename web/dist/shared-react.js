import{react as g}from"./more.js";function p({chat:e,toastError:t},o,a,r){e.value&&g(e.value,o,a,r).catch(t)}export{p as a};
