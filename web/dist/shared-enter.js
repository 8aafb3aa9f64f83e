import{_19a as r,_19b as m,_19c as u,_19d as s}from"./app.js";function _({route:a},o){(a.value.room!==o||a.value.message)&&a.go(o),setTimeout(s)}export{_ as a};
