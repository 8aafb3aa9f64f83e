import{_4a as c,_4b as o,_4c as m,_4d as p}from"./app.js";function n(a,s){let e=(s.closest(".panel:has(.composer)")??document).querySelector(".composer textarea");e&&(o(e,0,0,e.value?`${a}
`:a),e.focus())}export{n as a};
