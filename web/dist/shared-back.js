import{h as r,i as t,u}from"./shared-preact.js";function i(e,c=!0){let{layers:n}=u(),o=t(e);o.current=e,r(()=>c?n.open(()=>o.current()):void 0,[])}export{i as a};
